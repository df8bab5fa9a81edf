import { childOf, type Node } from '../node.ts'
import type { Printer } from './printer.ts'

/** Whether a space separates the type from a name or signature before it. */
export function needsSpace(node: Node): boolean {
  let inner: Node | undefined = node
  while (inner?.kind === 'Type') inner = inner.children[0]
  if (inner?.kind === 'FunctionType') return !['plain', 'noescape', 'uncurried'].includes(inner.text)
  return inner?.kind !== 'DependentGenericType'
}

const conventions: Record<string, string> = { block: 'block', 'escaping block': 'block', c: 'c' }

/** Prints `(label: Type) async throws -> Result`. The short form prints only the attributes before it. */
export function printFunctionType(printer: Printer, node: Node, labels?: Node): void {
  printShape(printer, node)
  const isolation = childOf(node, 'FunctionIsolation')
  const isLate = isolation?.text.startsWith('nonisolated')
  if (isolation && !isLate) printIsolation(printer, isolation)
  printer.write(childOf(node, 'DifferentiableFunctionType')?.text ?? '')
  if (isolation && isLate) printIsolation(printer, isolation)
  if (childOf(node, 'ConcurrentFunctionType')) printer.write('@Sendable ')
  if (!printer.full) return
  printParameters(printer, childOf(node, 'ArgumentTuple'), labels)
  if (childOf(node, 'AsyncAnnotation')) printer.write(' async')
  printThrows(printer, childOf(node, 'ThrowsAnnotation'))
  printer.write(' -> ')
  if (childOf(node, 'SendingResult')) printer.write('sending ')
  printer.print(childOf(node, 'ReturnType'))
}

function printShape(printer: Printer, node: Node): void {
  if (node.text === 'autoclosure') printer.write('@autoclosure ')
  if (node.text === 'thin') printer.write('@convention(thin) ')
  if (node.text === 'escaping block') printer.write('@escaping ')
  const convention = conventions[node.text]
  if (convention === undefined) return
  const clangType = childOf(node, 'ClangType')
  printer.write(`@convention(${convention}${clangType ? `, mangledCType: "${clangType.text}"` : ''}) `)
}

function printIsolation(printer: Printer, isolation: Node): void {
  printer.write(isolation.text)
  const [actor] = isolation.children
  if (!actor) return
  printer.print(actor)
  printer.write(' ')
}

function printThrows(printer: Printer, annotation: Node | undefined): void {
  if (!annotation) return
  printer.write(' throws')
  const [error] = annotation.children
  if (!error) return
  printer.write('(')
  printer.print(error)
  printer.write(')')
}

/** Prints parameters, with the labels of the function's name if it has labels. */
export function printParameters(printer: Printer, tuple: Node | undefined, labels?: Node): void {
  const parameters = tuple?.children[0]?.children[0]
  if (!parameters) {
    printer.failed = true
    return
  }
  const elements = parameters.kind === 'Tuple' ? parameters.children : [parameters]
  const hasLabels = parameters.kind === 'Tuple' && labels !== undefined && labels.children.length > 0
  printer.write('(')
  for (const [i, element] of elements.entries()) {
    if (i > 0) printer.write(', ')
    if (hasLabels) printer.write(`${labels.children[i]?.text || '_'}: `)
    printer.print(element)
  }
  printer.write(')')
}
