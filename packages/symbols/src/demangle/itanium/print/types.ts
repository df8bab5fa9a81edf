import { limits } from '../../limits.ts'
import { inner, type Node } from '../node.ts'
import type { Print, Printer } from './printer.ts'
import { hasArray, hasFunction, hasRight, syntaxOf } from './shape.ts'
import { printLeftOf, printParts } from './words.ts'

const printRightOf: Print = (printer, node) => {
  const content = inner(node)
  if (content) printer.right(content)
}

/** Whether the type is `objc_object` with a protocol, whose pointer is written `id<Protocol>`. */
function isObject(node: Node): boolean {
  const object = node.kind === 'objc protocol' ? inner(node) : undefined
  return object?.kind === 'name' && object.text === 'objc_object'
}

/** Opens the parenthesis around a pointer to an array or a function. */
function printOpen(printer: Printer, content: Node): void {
  const isArray = hasArray(content, printer)
  if (isArray) printer.write(' ')
  if (isArray || hasFunction(content, printer)) printer.write('(')
}

function printClose(printer: Printer, content: Node): void {
  if (hasArray(content, printer) || hasFunction(content, printer)) printer.write(')')
  printer.right(content)
}

const printPointer: Print = (printer, node) => {
  const content = inner(node)
  if (!content) return
  if (isObject(content)) {
    printer.write(`id<${content.text}>`)
    return
  }
  printer.left(content)
  printOpen(printer, content)
  printer.write('*')
}

/** Collapses references to references into one reference, which is `&&` only if all of them are. */
function collapse(printer: Printer, node: Node): { symbol: string; referred: Node | undefined } {
  let symbol = node.text
  let referred = inner(node)
  for (let hops = 0; referred; hops++) {
    const shown: Node = syntaxOf(referred, printer)
    if (shown.kind !== 'reference') break
    if (shown.text === '&') symbol = '&'
    referred = hops < limits.depth ? inner(shown) : undefined
  }
  return { symbol, referred }
}

function printReference(printer: Printer, node: Node, print: (symbol: string, referred: Node) => void): void {
  if (node.busy) return
  node.busy = true
  const { symbol, referred } = collapse(printer, node)
  if (referred) print(symbol, referred)
  node.busy = false
}

const printMemberPointer: Print = (printer, node) => {
  const member = inner(node)
  if (!member) return
  printer.left(member)
  printer.write(hasArray(member, printer) || hasFunction(member, printer) ? '(' : ' ')
  printer.part(node.parts[1])
  printer.write('::*')
}

/** Prints the result type with a space after it, unless it has a right half, which follows the name. */
function printResult(printer: Printer, result: Node): void {
  printer.left(result)
  if (!hasRight(result, printer)) printer.write(' ')
}

/** Prints the parameters, then the right half of the result, then the qualifiers. */
function printSignature(printer: Printer, node: Node, result: Node | undefined): void {
  printer.part(node.parts[1])
  if (result) printer.right(result)
  printer.part(node.parts[2])
}

export const typePrinters = {
  qualified: (printer, node) => {
    printLeftOf(printer, node)
    printer.write(node.text)
  },
  pointer: printPointer,
  reference: (printer, node) =>
    printReference(printer, node, (symbol, referred) => {
      printer.left(referred)
      printOpen(printer, referred)
      printer.write(symbol)
    }),
  'member pointer': printMemberPointer,
  array: printLeftOf,
  function: (printer, node) => {
    printLeftOf(printer, node)
    printer.write(' ')
  },
  encoding: (printer, node) => {
    const result = inner(node, 3)
    if (result) printResult(printer, result)
    printer.part(node.parts[0])
  },
  declaration: (printer, node) => {
    const valueType = inner(node, 2)
    printer.part(node.parts[0])
    if (valueType) printResult(printer, valueType)
  },
  'objc protocol': (printer, node) => {
    printParts(printer, node)
    printer.write(`<${node.text}>`)
  },
} satisfies Record<string, Print>

export const typeRightPrinters = {
  qualified: printRightOf,
  'pack declaration': printRightOf,
  pointer: (printer, node) => {
    const content = inner(node)
    if (content && !isObject(content)) printClose(printer, content)
  },
  reference: (printer, node) => printReference(printer, node, (_, referred) => printClose(printer, referred)),
  'member pointer': (printer, node) => {
    const member = inner(node)
    if (member) printClose(printer, member)
  },
  array: (printer, node) => {
    printer.write(printer.last.endsWith(']') ? '[' : ' [')
    printer.part(node.parts[1])
    printer.write(']')
    printRightOf(printer, node)
  },
  function: (printer, node) => printSignature(printer, node, inner(node)),
  encoding: (printer, node) => printSignature(printer, node, inner(node, 3)),
  declaration: (printer, node) => {
    const valueType = inner(node, 2)
    printer.part(node.parts[1])
    if (valueType) printer.right(valueType)
  },
} satisfies Record<string, Print>
