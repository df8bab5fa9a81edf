import type { Node } from '../node.ts'
import type { Print, Printer } from './printer.ts'

const templates = new Map<string, (string | number)[]>()
const maxTemplates = 1000

/** Splits a phrase into words and the numbers of the children between them. */
function readTemplate(text: string): (string | number)[] {
  const known = templates.get(text)
  if (known) return known
  const parts = text.split(/\{(\d)\}/).map((part, i) => (i % 2 === 1 ? Number(part) : part))
  // Some phrases contain a number of the mangled name, so the table has a limit.
  if (templates.size < maxTemplates) templates.set(text, parts)
  return parts
}

/** Prints a phrase with its children in their places, or after the words if the phrase has no places. */
export function printPhrase(printer: Printer, node: Node): undefined {
  if (!node.text.includes('{')) {
    printer.write(node.text)
    printer.printAll(node.children)
    return
  }
  for (const part of readTemplate(node.text)) {
    if (typeof part === 'string') printer.write(part)
    else printer.print(node.children[part])
  }
}

export const printText: Print = (printer, node) => {
  printer.write(node.text)
  return undefined
}

export const printNothing: Print = () => undefined

export const printChildren: Print = (printer, node) => {
  printer.printAll(node.children)
  return undefined
}
