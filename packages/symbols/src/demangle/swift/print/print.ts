import { limits } from '../../limits.ts'
import type { Kind, Node } from '../node.ts'
import { autoDiffPrinters } from './autodiff.ts'
import { conformancePrinters } from './conformances.ts'
import { entityPrinters } from './entities.ts'
import { genericPrinters } from './generics.ts'
import { implPrinters } from './impl-functions.ts'
import { namePrinters } from './names.ts'
import { Printer, type Form, type Print } from './printer.ts'
import { specializationPrinters } from './specializations.ts'
import { typePrinters } from './types.ts'
import { wrapperPrinters } from './wrappers.ts'

const printers: Readonly<Record<Kind, Print>> = {
  ...autoDiffPrinters,
  ...conformancePrinters,
  ...entityPrinters,
  ...genericPrinters,
  ...implPrinters,
  ...namePrinters,
  ...specializationPrinters,
  ...typePrinters,
  ...wrapperPrinters,
}

/** Prints a tree as text; undefined if the tree is malformed or the text would exceed a limit. */
export function print(root: Node, form: Form, demangle: (name: string) => string | undefined): string | undefined {
  const printer = new Printer(form, printers, demangle)
  printer.print(root)
  const isWhole = !printer.failed && printer.text !== '' && printer.text.length <= limits.outputLength
  return isWhole ? printer.text : undefined
}
