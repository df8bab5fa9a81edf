import { bare } from '../node.ts'
import { printText } from './phrases.ts'
import type { Print } from './printer.ts'

const printLocalName: Print = (printer, { children: [index, name] }) => {
  printer.print(name)
  printer.write(` #${(index?.index ?? 0) + 1}`)
  return undefined
}

/** Prints a private name. Its discriminator is a hash of the file in which the name is visible. */
const printPrivateName: Print = (printer, { children: [discriminator, name] }) => {
  if (!printer.full) return printer.print(name)
  printer.write('(')
  printer.print(name)
  printer.write(`${name ? ' ' : ''}in ${discriminator?.text ?? ''})`)
  return undefined
}

const printModule: Print = (printer, node) => {
  if (printer.full) printer.write(node.text)
  return undefined
}

const printExtension: Print = (printer, { children: [module, extended, signature] }) => {
  if (printer.full) {
    printer.write('(extension in ')
    printer.print(module, true)
    printer.write('):')
  }
  printer.print(extended)
  printer.print(signature)
  return undefined
}

const printAnonymousContext: Print = (printer, { children: [name, context, types] }) => {
  if (!printer.full) return undefined
  printer.print(context)
  printer.write('.(unknown context at ')
  printer.print(name)
  printer.write(')')
  if (types && types.children.length > 0) {
    printer.write('<')
    printer.print(types)
    printer.write('>')
  }
  return undefined
}

export const namePrinters = {
  Identifier: printText,
  Operator: printText,
  LocalDeclName: printLocalName,
  PrivateDeclName: printPrivateName,
  RelatedEntityDeclName: (printer, node) => {
    printer.write(`related decl '${node.text}' for `)
    printer.print(node.children[0] && bare(node.children[0]))
    return undefined
  },
  Module: printModule,
  Extension: printExtension,
  AnonymousContext: printAnonymousContext,
  Static: (printer, node) => {
    printer.write('static ')
    printer.print(node.children[0])
    return undefined
  },
} satisfies Record<string, Print>
