import { limits } from '../limits.ts'
import { isContext, isNominal, type Kind, type Node } from './node.ts'

const digit0 = 48
const digit9 = 57

/**
 * The state of the stack machine that a Swift name is a program for: each operator takes nodes off the stack and puts
 * one back. Names of types and contexts are remembered as substitutions, words of identifiers as word substitutions.
 */
export class Parser {
  readonly text: string
  /** `_T0` names (Swift 4.0) keep argument labels in the tuple's type, not in a list of their own. */
  readonly oldLabels: boolean
  readonly stack: Node[] = []
  readonly substitutions: Node[] = []
  readonly words: string[] = []
  pos: number

  constructor(text: string, start: number, oldLabels: boolean) {
    this.text = text
    this.pos = start
    this.oldLabels = oldLabels
  }

  get done(): boolean {
    return this.pos >= this.text.length
  }

  peek(): string {
    return this.text.charAt(this.pos)
  }

  /** The next character, '' past the end. */
  next(): string {
    return this.text.charAt(this.pos++)
  }

  back(): void {
    this.pos--
  }

  skip(expected: string): boolean {
    if (this.text.charCodeAt(this.pos) !== expected.charCodeAt(0)) return false
    if (expected.length > 1 && !this.text.startsWith(expected, this.pos)) return false
    this.pos += expected.length
    return true
  }

  natural(): number | undefined {
    const start = this.pos
    let value = 0
    for (let code = this.text.charCodeAt(this.pos); code >= digit0 && code <= digit9;) {
      value = value * 10 + (code - digit0)
      if (value > 0x7fff_ffff) return undefined
      code = this.text.charCodeAt(++this.pos)
    }
    return this.pos === start ? undefined : value
  }

  /** `_` is 0, `0_` is 1, `1_` is 2. */
  index(): number | undefined {
    if (this.skip('_')) return 0
    const value = this.natural()
    return value !== undefined && this.skip('_') ? value + 1 : undefined
  }

  indexNode(): Node | undefined {
    const index = this.index()
    return index === undefined ? undefined : { kind: 'Index', text: '', index, children: [] }
  }

  /** False when the stack is full, which only a hostile name reaches. */
  push(node: Node, times = 1): boolean {
    if (this.stack.length + times > limits.nameLength) return false
    for (let i = 0; i < times; i++) this.stack.push(node)
    return true
  }

  pop(kind?: Kind): Node | undefined {
    const top = this.stack.at(-1)
    if (!top || (kind !== undefined && top.kind !== kind)) return undefined
    return this.stack.pop()
  }

  popIf(matches: (kind: Kind) => boolean): Node | undefined {
    const top = this.stack.at(-1)
    return top && matches(top.kind) ? this.stack.pop() : undefined
  }

  popModule(): Node | undefined {
    const identifier = this.pop('Identifier')
    return identifier ? { ...identifier, kind: 'Module' } : this.pop('Module')
  }

  popContext(): Node | undefined {
    const module = this.popModule()
    if (module) return module
    const top = this.pop('Type')
    if (!top) return this.popIf(isContext)
    const child = top.children[0]
    return child && isContext(child.kind) ? child : undefined
  }

  /** The type on top, without its mark. */
  popBareType(): Node | undefined {
    return this.pop('Type')?.children[0]
  }

  popNominal(): Node | undefined {
    const child = this.popBareType()
    return child && isNominal(child.kind) ? child : undefined
  }

  /**
   * A list whose first element is marked with `_`, in the order it was written. `y` is the empty list; the elements
   * come off the stack last one first.
   */
  popList(popElement: () => Node | undefined): Node[] | undefined {
    const elements: Node[] = []
    if (this.pop('EmptyList')) return elements
    for (let first = false; !first;) {
      first = this.pop('FirstElementMarker') !== undefined
      const element = popElement()
      if (!element) return undefined
      elements.push(element)
    }
    return elements.reverse()
  }

  popTypes(): Node[] | undefined {
    return this.popList(() => this.pop('Type'))
  }

  /** Remembers `node` for a later `A` operator and hands it back. */
  remember(node: Node | undefined): Node | undefined {
    if (node) this.substitutions.push(node)
    return node
  }
}
