import type { Node } from '../node.ts'
import type { Print, Printer } from './printer.ts'

interface Parts {
  originals: Node[]
  sets: Node[]
  signature: Node | undefined
}

/** Separates the original functions, the generic signature (the last child before the sets) and the index sets. */
function split(children: Node[]): Parts {
  const sets = children.filter(({ kind }) => kind === 'IndexSubset')
  const others = children.filter(({ kind }) => kind !== 'IndexSubset')
  const last = others.at(-1)
  const signature = last?.kind === 'DependentGenericSignature' ? last : undefined
  return { originals: signature ? others.slice(0, -1) : others, sets, signature }
}

function printSets(printer: Printer, [parameters, results]: Node[]): void {
  printer.write(' with respect to parameters ')
  printer.print(parameters)
  printer.write(' and results ')
  printer.print(results)
}

function printSignature(printer: Printer, signature: Node | undefined): void {
  if (!signature) return
  printer.write(' with ')
  printer.print(signature)
}

const printFunction: Print = (printer, { text, children }) => {
  const { originals, sets, signature } = split(children)
  printer.write(`${text} of `)
  printer.printAll(originals)
  if (!printer.full) return undefined
  printSets(printer, sets)
  printSignature(printer, signature)
  return undefined
}

const printSubsetThunk: Print = (printer, { text, children }) => {
  const sets = children.slice(-3)
  const originals = children.slice(0, -3)
  const [, to] = originals.length > 1 ? [originals, originals.pop()] : []
  printer.write(`autodiff subset parameters thunk for ${text} from `)
  printer.printAll(originals)
  if (!printer.full) return undefined
  printSets(printer, sets)
  printer.write(' to parameters ')
  printer.print(sets[2])
  if (!to) return undefined
  printer.write(' of type ')
  printer.print(to)
  return undefined
}

const printReorderingThunk: Print = (printer, { text, children: [from, to, signature] }) => {
  printer.write('autodiff self-reordering reabstraction thunk for ')
  if (!printer.full) return printer.print(from)
  printer.write(text)
  if (signature) {
    printer.print(signature)
    printer.write(' ')
  }
  printer.write(' from ')
  printer.print(from)
  printer.write(' to ')
  printer.print(to)
  return undefined
}

const printWitness: Print = (printer, { text, children }) => {
  const { originals, sets, signature } = split(children)
  printer.write(`${text} differentiability witness for `)
  printer.printAll(originals)
  printSets(printer, sets)
  printSignature(printer, signature)
  return undefined
}

export const autoDiffPrinters = {
  AutoDiffFunction: printFunction,
  AutoDiffReorderingThunk: printReorderingThunk,
  AutoDiffSubsetThunk: printSubsetThunk,
  DifferentiabilityWitness: printWitness,
} satisfies Record<string, Print>
