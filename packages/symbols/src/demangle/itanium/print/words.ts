import { inner, precedence, type Node } from '../node.ts'
import type { Print, Printer } from './printer.ts'

const printText: Print = (printer, node) => printer.write(node.text)

export const printParts: Print = (printer, node) => {
  for (const part of node.parts) printer.part(part)
}

export const printLeftOf: Print = (printer, node) => {
  const content = inner(node)
  if (content) printer.left(content)
}

/** Prints parts with commas between them. An empty pack prints nothing and gets no comma. */
export const printList: Print = (printer, node) => {
  let isFirst = true
  for (const part of node.parts) {
    if (printer.failed) return
    const { text, last } = printer
    if (!isFirst) printer.write(', ')
    const start = printer.text.length
    if (typeof part === 'object') printOperand(printer, part, precedence.comma)
    if (printer.text.length === start) printer.reset(text, last)
    else isFirst = false
  }
}

function openBracket(printer: Printer, bracket: string): void {
  printer.openBrackets++
  printer.write(bracket)
}

function closeBracket(printer: Printer, bracket: string): void {
  printer.openBrackets--
  printer.write(bracket)
}

/** Prints `node` in parentheses unless it binds tighter than `least`. */
function printOperand(printer: Printer, node: Node, least: number): void {
  const needsParens = node.precedence >= least
  if (needsParens) openBracket(printer, '(')
  printer.print(node)
  if (needsParens) closeBracket(printer, ')')
}

export const wordPrinters = {
  name: printText,
  sequence: printParts,
  special: printParts,
  closure: printParts,
  module: printParts,
  list: printList,
  left: printLeftOf,
  brackets: (printer, node) => {
    openBracket(printer, node.text.charAt(0))
    printParts(printer, node)
    closeBracket(printer, node.text.charAt(1))
  },
  angles: (printer, node) => {
    const outside = printer.openBrackets
    printer.openBrackets = 0
    printer.write('<')
    printParts(printer, node)
    printer.write('>')
    printer.openBrackets = outside
  },
  operand: (printer, node) => {
    const content = inner(node)
    if (content) printOperand(printer, content, node.precedence + (node.text === 'strict' ? 1 : 0))
  },
  binary: (printer, node) => {
    const wouldClose = printer.openBrackets === 0 && (node.text === '>' || node.text === '>>')
    if (wouldClose) openBracket(printer, '(')
    printParts(printer, node)
    if (wouldClose) closeBracket(printer, ')')
  },
} satisfies Record<string, Print>
