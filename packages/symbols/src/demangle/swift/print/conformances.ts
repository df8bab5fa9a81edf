import type { Node } from '../node.ts'
import { printChildren, printPhrase } from './phrases.ts'
import type { Print } from './printer.ts'

const printProtocolConformance: Print = (printer, { children: [conforming, protocol, module, property] }) => {
  if (property)
    return printPhrase(printer, propertyStorage([conforming, protocol, module].filter((node) => node !== undefined)))
  printer.print(conforming)
  if (!printer.full) return undefined
  printer.write(' : ')
  printer.print(protocol)
  printer.write(' in ')
  printer.print(module)
  return undefined
}

const propertyStorage = (children: Node[]): Node => ({
  kind: 'Phrase',
  text: 'property behavior storage of {2} in {0} : {1}',
  index: 0,
  children,
})

const printConcreteConformance: Print = (printer, { children: [conforming, reference, conditions] }) => {
  printer.write('concrete protocol conformance ')
  printer.print(conforming)
  printer.write(' to ')
  printer.print(reference)
  if (!conditions || conditions.children.length === 0) return undefined
  printer.write(' with conditional requirements: ')
  printer.print(conditions)
  return undefined
}

const printDependentConformance: Print = (printer, { text, children: [conforming, protocol, index] }) => {
  printer.write(`dependent ${text} protocol conformance `)
  if (index && index.text === '') printer.write(`#${index.index} `)
  printer.print(conforming)
  printer.write(' to ')
  printer.print(protocol)
  return undefined
}

export const conformancePrinters = {
  ConcreteConformance: printConcreteConformance,
  Conformance: printPhrase,
  ConformanceList: (printer, { children }) => {
    if (children.length === 0) return undefined
    printer.write('(')
    printer.printAll(children, ', ')
    printer.write(')')
    return undefined
  },
  DependentConformance: printDependentConformance,
  ProtocolConformance: printProtocolConformance,
  RetroactiveConformance: (printer, node) => {
    printer.write('retroactive @ ')
    return printChildren(printer, node, false)
  },
} satisfies Record<string, Print>
