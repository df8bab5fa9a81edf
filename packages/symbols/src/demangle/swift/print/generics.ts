import type { Node } from '../node.ts'
import { needsSpace } from './functions.ts'
import { printPhrase } from './phrases.ts'
import type { Print, Printer } from './printer.ts'

const maxParameters = 128

/** Returns the name of a generic parameter: A, B … Z, AB, BB …, with the depth after it unless the depth is 0. */
function parameterName(depth: number, index: number): string {
  let name = ''
  let rest = index
  do {
    name += String.fromCharCode(65 + (rest % 26))
    rest = Math.floor(rest / 26)
  } while (rest > 0)
  return depth === 0 ? name : `${name}${depth}`
}

const isMarker = ({ kind }: Node): boolean => kind === 'PackMarker' || kind === 'ValueMarker'

/** Prints `<A, B><C where A: P>`: parameters by depth, then the requirements. */
const printSignature: Print = (printer, { children }) => {
  const counts = children.filter((child) => child.kind === 'DependentGenericParamCount')
  const markers = children.filter(isMarker)
  const requirements = children.slice(counts.length + markers.length)
  printer.write('<')
  for (const [depth, count] of counts.entries()) {
    if (depth > 0) printer.write('><')
    printParametersOf(printer, depth, count.index, markers)
  }
  if (requirements.length > 0 && printer.showWhere) {
    printer.write(' where ')
    printer.printAll(requirements, ', ')
  }
  printer.write('>')
  return undefined
}

function printParametersOf(printer: Printer, depth: number, count: number, markers: Node[]): void {
  for (let index = 0; index < count; index++) {
    if (index > 0) printer.write(', ')
    if (index >= maxParameters) {
      printer.write('...')
      return
    }
    const marked = markers.filter((marker) => isMarkerOf(marker, depth, index))
    if (marked.some((marker) => marker.kind === 'PackMarker')) printer.write('each ')
    if (marked.some((marker) => marker.kind === 'ValueMarker')) printer.write('let ')
    printer.write(parameterName(depth, index))
  }
}

/**
 * Whether a marker belongs to a parameter. Swift's own demangler compares the index with the depth and the reverse, so
 * we do, too, to print what it prints.
 */
function isMarkerOf(marker: Node, depth: number, index: number): boolean {
  const [first, second] = marker.children[0]?.children[0]?.children ?? []
  return first?.index === index && second?.index === depth
}

const printLayout: Print = (printer, { text, children: [subject, ...numbers] }) => {
  printer.print(subject)
  printer.write(`: ${text}`)
  if (numbers.length === 0) return undefined
  printer.write('(')
  printer.printAll(numbers, ', ')
  printer.write(')')
  return undefined
}

export const genericPrinters = {
  AssocTypePath: (printer, node) => {
    printer.printAll(node.children, '.')
    return undefined
  },
  DependentAssociatedTypeRef: (printer, { children: [name, protocol] }) => {
    if (protocol) {
      printer.print(protocol)
      printer.write('.')
    }
    printer.print(name)
    return undefined
  },
  DependentGenericParamCount: () => undefined,
  DependentGenericParamType: (printer, { children: [depth, index] }) => {
    printer.write(parameterName(depth?.index ?? 0, index?.index ?? 0))
    return undefined
  },
  DependentGenericSignature: printSignature,
  DependentGenericType: (printer, { children: [signature, dependent] }) => {
    printer.print(signature)
    if (dependent && needsSpace(dependent)) printer.write(' ')
    printer.print(dependent)
    return undefined
  },
  DependentMemberType: (printer, { children: [base, member] }) => {
    printer.print(base)
    printer.write('.')
    printer.print(member)
    return undefined
  },
  LayoutRequirement: printLayout,
  PackMarker: () => undefined,
  Requirement: printPhrase,
  ValueMarker: () => undefined,
} satisfies Record<string, Print>
