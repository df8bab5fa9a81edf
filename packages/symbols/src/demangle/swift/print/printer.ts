import { limits } from '../../limits.ts'
import type { Node } from '../node.ts'

/** `full` prints everything that the name holds; `short` prints the form for stack traces. */
export type Form = 'full' | 'short'

/**
 * Prints a node. With `asContext` the node is the prefix of a member (`context.name`). A node that cannot be a prefix
 * prints nothing and returns itself, and is then printed after the member (`name in context`).
 */
export type Print = (printer: Printer, node: Node, asContext: boolean) => Node | undefined

/** Collects the text of a tree and counts its cost. Once `failed` is set, nothing more is printed. */
export class Printer {
  readonly full: boolean
  readonly #table: Readonly<Record<string, Print>>
  /** Demangles the names of functions and globals that are arguments of a specialization. */
  readonly demangle: (name: string) => string | undefined
  text = ''
  failed = false
  /** Whether `specialized` was printed; the short form prints it once. */
  saidSpecialized = false
  showWhere: boolean
  #depth = 0
  #steps = 0

  constructor(form: Form, table: Readonly<Record<string, Print>>, demangle: (name: string) => string | undefined) {
    this.full = form === 'full'
    this.showWhere = this.full
    this.#table = table
    this.demangle = demangle
  }

  print(node: Node | undefined, asContext = false): Node | undefined {
    if (!node || this.failed) return undefined
    const isOver = ++this.#steps > limits.steps || this.#depth >= limits.depth || this.text.length > limits.outputLength
    const print = this.#table[node.kind]
    if (isOver || !print) {
      this.failed = true
      return undefined
    }
    this.#depth++
    const left = print(this, node, asContext)
    this.#depth--
    return left
  }

  write(text: string): void {
    this.text += text
  }

  printAll(nodes: readonly Node[], separator = ''): void {
    for (const [i, node] of nodes.entries()) {
      if (i > 0) this.text += separator
      this.print(node)
    }
  }
}
