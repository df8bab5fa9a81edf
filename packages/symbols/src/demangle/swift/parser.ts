import { limits } from '../limits.ts'
import { isContext, isNominal, type Kind, type Node } from './node.ts'

const digit0 = 48
const digit9 = 57

/**
 * The state of the stack machine that interprets a Swift name. Each operator pops nodes from the stack and pushes one.
 * Types and contexts are remembered as substitutions, words of identifiers as word substitutions.
 */
export class Parser {
  readonly text: string
  /**
   * Whether argument labels are part of the parameter tuple's type, as in `_T0` names (Swift 4.0), instead of a list.
   */
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

  /** Returns the next character and moves past it; '' at the end. */
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

  /** Parses an index: `_` is 0, `0_` is 1, `1_` is 2. */
  index(): number | undefined {
    if (this.skip('_')) return 0
    const value = this.natural()
    return value !== undefined && this.skip('_') ? value + 1 : undefined
  }

  indexNode(): Node | undefined {
    const index = this.index()
    return index === undefined ? undefined : { kind: 'Index', text: '', index, children: [] }
  }

  /** Pushes copies of a node. Returns false if the stack is full, which only hostile names cause. */
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

  /** Pops the type on top of the stack, without its `Type` node. */
  popBareType(): Node | undefined {
    return this.pop('Type')?.children[0]
  }

  popNominal(): Node | undefined {
    const child = this.popBareType()
    return child && isNominal(child.kind) ? child : undefined
  }

  /**
   * Pops a list, whose first element is marked with `_`, and returns it in the order of the name. `y` is the empty
   * list.
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

  /** Remembers `node` for a later `A` operator, and returns it. */
  remember(node: Node | undefined): Node | undefined {
    if (node) this.substitutions.push(node)
    return node
  }
}
