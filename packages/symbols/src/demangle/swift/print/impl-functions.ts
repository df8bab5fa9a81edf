import type { Node } from '../node.ts'
import { printNothing, printText } from './phrases.ts'
import type { Print, Printer } from './printer.ts'

/** Prints attributes, `(parameters) -> (results)`, then the substitutions of the type's own generic parameters. */
const printImplFunctionType: Print = (printer, { children }) => {
  const ofKind = (kind: Node['kind']): Node[] => children.filter((child) => child.kind === kind)
  const [pattern] = ofKind('ImplPatternSubstitutions')
  const [invocation] = ofKind('ImplInvocationSubstitutions')
  for (const child of children) {
    if (child.kind !== 'ImplText' && child.kind !== 'DependentGenericSignature') continue
    printer.print(child)
    printer.write(' ')
  }
  if (pattern) {
    printer.write('@substituted ')
    printer.print(pattern.children[0])
    printer.write(' ')
  }
  printer.write('(')
  printer.printAll(ofKind('ImplParameter'), ', ')
  printer.write(ofKind('SendingResult').length > 0 ? ') -> sending (' : ') -> (')
  printer.printAll(ofKind('ImplResult'), ', ')
  printer.write(')')
  printSubstitutions(printer, pattern?.children[1])
  printSubstitutions(printer, invocation?.children[0])
  return undefined
}

function printSubstitutions(printer: Printer, list: Node | undefined): void {
  if (!list) return
  printer.write(' for <')
  printer.printAll(list.children)
  printer.write('>')
}

const printValue: Print = (printer, { text, children: [type] }) => {
  printer.write(`${text} `)
  printer.print(type)
  return undefined
}

export const implPrinters = {
  ImplFunctionType: printImplFunctionType,
  ImplInvocationSubstitutions: printNothing,
  ImplPatternSubstitutions: printNothing,
  ImplParameter: printValue,
  ImplResult: printValue,
  ImplText: printText,
} satisfies Record<string, Print>
