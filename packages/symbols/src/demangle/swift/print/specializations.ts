import { signatureKinds } from '../specializations.ts'
import type { Node } from '../node.ts'
import { printNothing, printText } from './phrases.ts'
import type { Print, Printer } from './printer.ts'

const printSpecialization: Print = (printer, node) => {
  if (!printer.full) {
    if (!printer.saidSpecialized) printer.write('specialized ')
    printer.saidSpecialized = true
    return undefined
  }
  if (node.text === 'representation changed') {
    printer.write('representation changed of ')
    return undefined
  }
  printer.write(`${node.text} <`)
  let separator = ''
  let argument = 0
  for (const child of node.children) {
    if (child.kind === 'Serialized') {
      printer.write(`${separator}serialized`)
      separator = ', '
      continue
    }
    // An argument without children was not specialized and is not shown.
    if (child.children.length > 0) {
      printer.write(separator)
      separator = ', '
      if (child.kind === 'SignatureParam') printer.write(`Arg[${argument}] = `)
      printer.print(child)
    }
    argument++
  }
  printer.write('> of ')
  return undefined
}

const { closure, closurePrevious, constantKeyPath, constantString } = signatureKinds
const kindWords = new Map<number, string>([
  [signatureKinds.constantFunction, 'Constant Propagated Function'],
  [signatureKinds.constantGlobal, 'Constant Propagated Global'],
  [signatureKinds.constantInteger, 'Constant Propagated Integer'],
  [signatureKinds.constantFloat, 'Constant Propagated Float'],
  [constantString, 'Constant Propagated String'],
  [closure, 'Closure Propagated'],
  [signatureKinds.boxToValue, 'Value Promoted from Box'],
  [signatureKinds.boxToStack, 'Stack Promoted from Box'],
  [signatureKinds.inOutToOut, 'InOut Converted to Out'],
  [constantKeyPath, 'Constant Propagated KeyPath'],
  [signatureKinds.constantStruct, 'Constant Propagated Struct'],
  [closurePrevious, 'Same As Argument'],
])
const flagWords: [number, string][] = [
  [signatureKinds.existentialToGeneric, 'Existential To Protocol Constrained Generic'],
  [signatureKinds.dead, 'Dead'],
  [signatureKinds.ownedToGuaranteed, 'Owned To Guaranteed'],
  [signatureKinds.guaranteedToOwned, 'Guaranteed To Owned'],
  [signatureKinds.exploded, 'Exploded'],
]

function describeKind(index: number): string {
  const flags = flagWords.filter(([flag]) => (index & flag) !== 0).map(([, words]) => words)
  return flags.length > 0 ? flags.join(' and ') : (kindWords.get(index) ?? '')
}

/**
 * Prints how one argument was specialized. The payloads follow the kinds, and each kind takes the payloads that it
 * needs, in order.
 */
const printSignatureParam: Print = (printer, { children }) => {
  const payloads = children.filter(({ kind }) => kind !== 'SignatureParamKind' && kind !== 'SignatureParamPayload')
  for (const [i, { kind, index }] of children.entries()) {
    if (kind !== 'SignatureParamKind') continue
    const words = describeKind(index)
    const immediate = children[i + 1]?.kind === 'SignatureParamPayload' ? children[i + 1] : undefined
    if (index >= signatureKinds.dead || isPromotion(index)) printer.write(words)
    else printKind(printer, index, words, immediate, payloads)
  }
  return undefined
}

const isPromotion = (index: number): boolean =>
  index === signatureKinds.boxToValue || index === signatureKinds.boxToStack || index === signatureKinds.inOutToOut

function printKind(
  printer: Printer,
  index: number,
  words: string,
  immediate: Node | undefined,
  payloads: Node[],
): void {
  if (index === closurePrevious) {
    printer.write(`[${words} ${immediate?.text ?? ''}]`)
    return
  }
  printer.write(`[${words} : `)
  if (index === closure) {
    // This is what Swift 6.3 prints: the outer bracket is not closed, the closure stays mangled, and no commas separate
    // the types.
    printer.print(payloads.shift())
    printer.write(', Argument Types : [')
    printer.printAll(payloads.splice(0))
  } else if (index === constantString) {
    printer.write(`${immediate?.text ?? ''}'`)
    // The mangling escapes a leading digit or `_` of the string with a `_`.
    printer.write(`${(payloads.shift()?.text ?? '').replace(/^_/, '')}'`)
  } else if (index === constantKeyPath) {
    printer.print(payloads.shift())
    printer.write('<')
    printer.print(payloads.shift())
    printer.write(',')
    printer.print(payloads.shift())
    printer.write('>')
  } else if (immediate) {
    printer.write(immediate.text)
  } else {
    printPayload(printer, payloads.shift())
  }
  printer.write(']')
}

/** Prints a payload, demangled if it is the mangled name of a function or global. */
function printPayload(printer: Printer, payload: Node | undefined): void {
  if (payload?.kind === 'Identifier') printer.write(printer.demangle(payload.text) ?? payload.text)
  else printer.print(payload)
}

export const specializationPrinters = {
  Specialization: printSpecialization,
  SpecializationParam: (printer, node) => {
    printer.write(node.text)
    printer.printAll(node.children)
    return undefined
  },
  SignatureParam: printSignatureParam,
  SignatureReturn: (printer, node, asContext) => {
    printer.write('Return = ')
    return printSignatureParam(printer, node, asContext)
  },
  SignatureParamKind: printNothing,
  SignatureParamPayload: printText,
} satisfies Record<string, Print>
