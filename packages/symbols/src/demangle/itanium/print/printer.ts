import { limits } from '../../limits.ts'
import type { Kind, Node, Part } from '../node.ts'

export type Print = (printer: Printer, node: Node) => void

export interface Tables {
  left: Readonly<Record<Kind, Print>>
  right: Readonly<Partial<Record<Kind, Print>>>
}

/** The value of `packIndex` and `packCount` outside of a pack expansion. */
export const noPack = -1

/**
 * Prints a tree. A type is printed in two parts, left and right of the name it would declare: `int (*` and `)[3]`.
 * Once it has `failed` nothing more is printed.
 */
export class Printer {
  text = ''
  /** The last piece of text that was written. Reading it from the whole text would flatten that string each time. */
  last = ''
  failed = false
  /** The pack element that is printed and the number of elements; −1 outside of a pack expansion. */
  packIndex = noPack
  packCount = noPack
  /** The number of brackets that are open inside the innermost `<>`. If it is 0, a `>` would close the `<>`. */
  openBrackets = 1
  readonly #tables: Tables
  #depth = 0
  #steps = 0

  constructor(tables: Tables) {
    this.#tables = tables
  }

  write(piece: string): void {
    if (piece === '') return
    this.text += piece
    this.last = piece
  }

  /** Restores the state before something was printed. */
  reset(text: string, last: string): void {
    this.text = text
    this.last = last
  }

  /**
   * Prints a node. Names and sequences are handled first, because nine of ten nodes are one of them and have no right
   * half.
   */
  print(node: Node): void {
    if (node.kind === 'name') {
      this.#steps++
      this.write(node.text)
    } else if (node.kind === 'sequence') {
      if (!this.#enter()) return
      for (const part of node.parts) this.part(part)
      this.#depth--
    } else {
      this.left(node)
      this.right(node)
    }
  }

  left(node: Node): void {
    if (!this.#enter()) return
    this.#tables.left[node.kind](this, node)
    this.#depth--
  }

  right(node: Node): void {
    const print = this.#tables.right[node.kind]
    if (!print || !this.#enter()) return
    print(this, node)
    this.#depth--
  }

  part(part: Part | undefined): void {
    if (typeof part === 'string') this.write(part)
    else if (part) this.print(part)
  }

  #enter(): boolean {
    if (++this.#steps > limits.steps || this.#depth >= limits.depth || this.text.length > limits.outputLength) {
      this.failed = true
    }
    if (this.failed) return false
    this.#depth++
    return true
  }
}
