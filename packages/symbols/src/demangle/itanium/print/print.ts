import { limits } from '../../limits.ts'
import type { Node } from '../node.ts'
import { packPrinters, packRightPrinters } from './packs.ts'
import { Printer, type Tables } from './printer.ts'
import { typePrinters, typeRightPrinters } from './types.ts'
import { wordPrinters } from './words.ts'

const tables: Tables = {
  left: { ...wordPrinters, ...typePrinters, ...packPrinters },
  right: { ...typeRightPrinters, ...packRightPrinters },
}

/** Prints a tree as text; undefined if the text would exceed a limit. */
export function print(root: Node): string | undefined {
  const printer = new Printer(tables)
  printer.print(root)
  return printer.failed || printer.text.length > limits.outputLength ? undefined : printer.text
}
