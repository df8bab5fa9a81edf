import { inner, type Node } from '../node.ts'
import { noPack, type Print, type Printer } from './printer.ts'
import { targetOf } from './shape.ts'
import { printLeftOf, printList } from './words.ts'

/** Prints the target of a forward reference. A reference inside of its own target prints nothing. */
function printTarget(printer: Printer, node: Node, side: 'left' | 'right'): void {
  if (node.busy) return
  const target = targetOf(node, printer)
  if (!target) return
  node.busy = node.kind === 'forward'
  printer[side](target)
  node.busy = false
}

const printTargetLeft: Print = (printer, node) => printTarget(printer, node, 'left')
const printTargetRight: Print = (printer, node) => printTarget(printer, node, 'right')

/** Prints the pattern once for each element of its packs. A pattern without a pack is printed with `...`. */
const printExpansion: Print = (printer, node) => {
  const pattern = inner(node)
  if (!pattern) return
  const { packIndex, packCount, text, last } = printer
  printer.packIndex = noPack
  printer.packCount = noPack
  printer.print(pattern)
  if (printer.packCount === noPack) printer.write('...')
  else if (printer.packCount === 0) printer.reset(text, last)
  for (let i = 1; i < printer.packCount && !printer.failed; i++) {
    printer.write(', ')
    printer.packIndex = i
    printer.print(pattern)
  }
  printer.packIndex = packIndex
  printer.packCount = packCount
}

export const packPrinters = {
  expansion: printExpansion,
  'argument pack': printList,
  forward: printTargetLeft,
  pack: printTargetLeft,
  'pack declaration': (printer, node) => {
    printLeftOf(printer, node)
    printer.write('...')
  },
} satisfies Record<string, Print>

export const packRightPrinters = {
  forward: printTargetRight,
  pack: printTargetRight,
} satisfies Record<string, Print>
