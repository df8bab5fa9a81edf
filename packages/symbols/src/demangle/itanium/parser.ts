import { limits } from '../limits.ts'
import type { Node } from './node.ts'

/** What the end of a function's name tells about the types that follow it. */
export interface NameState {
  /** A constructor, destructor or conversion: no result type is mangled. */
  isUntyped: boolean
  endsWithTemplateArgs: boolean
  /** ` const volatile restrict`, as they are printed. */
  qualifiers: string
  /** ` &` or ` &&`. */
  refQualifier: string
  hasExplicitObject: boolean
}

/** Rules that rules of other files need; the parser calls them, counting the depth. */
export interface Grammar {
  encoding: (parser: Parser, isShort: boolean) => Node | undefined
  expression: (parser: Parser) => Node | undefined
  name: (parser: Parser, state: NameState | undefined) => Node | undefined
  templateArgs: (parser: Parser, isTagged: boolean) => Node | undefined
  type: (parser: Parser) => Node | undefined
}

/** A cursor over a C++ name with what has been seen so far: substitutions and template parameters. */
export class Parser {
  readonly text: string
  readonly substitutions: Node[] = []
  /** References to template arguments that come later in the name. */
  forwards: Node[] = []
  /** Template parameters by level; a level of `auto` parameters of a lambda holds none. */
  levels: (Node[] | undefined)[] = []
  /** How many parameters of each kind (type, value, template) were invented for declarations without names. */
  readonly invented = { $T: 0, $N: 0, $TT: 0 }
  /** False where `I` belongs to what contains the type, as after a conversion operator. */
  takesTemplateArgs = true
  permitsForwards = false
  isConstraint = false
  lambdaLevel = -1
  pos: number
  readonly #grammar: Grammar
  #depth = 0
  #steps = 0

  constructor(text: string, start: number, grammar: Grammar) {
    this.text = text
    this.pos = start
    this.#grammar = grammar
  }

  get done(): boolean {
    return this.pos >= this.text.length
  }

  peek(ahead = 0): string {
    return this.text.charAt(this.pos + ahead)
  }

  isDigit(ahead = 0): boolean {
    const code = this.text.charCodeAt(this.pos + ahead)
    return code >= 48 && code <= 57
  }

  skip(expected: string): boolean {
    // Most of what is expected is one letter, and mostly it is not there.
    if (this.text.charCodeAt(this.pos) !== expected.charCodeAt(0)) return false
    if (expected.length > 1 && !this.text.startsWith(expected, this.pos)) return false
    this.pos += expected.length
    return true
  }

  /** Digits, after `n` for a negative number where that is allowed; '' when there are none. */
  number(mayBeNegative = false): string {
    const start = this.pos
    if (mayBeNegative) this.skip('n')
    if (!this.isDigit()) return ''
    while (this.isDigit()) this.pos++
    return this.text.slice(start, this.pos)
  }

  /** A length-prefixed word; '' when there is none. */
  word(): string {
    let length = 0
    for (; this.isDigit() && length < this.text.length; this.pos++)
      length = length * 10 + this.text.charCodeAt(this.pos) - 48
    if (length > this.text.length - this.pos) return ''
    this.pos += length
    return this.text.slice(this.pos - length, this.pos)
  }

  /** A number of base 36 with upper-case digits. */
  sequenceId(): number | undefined {
    const start = this.pos
    let id = 0
    for (let code = this.text.charCodeAt(this.pos); ; code = this.text.charCodeAt(++this.pos)) {
      if (code >= 48 && code <= 57) id = id * 36 + code - 48
      else if (code >= 65 && code <= 90) id = id * 36 + code - 55
      else break
    }
    return this.pos === start ? undefined : id
  }

  /** Remembers a node for later `S` references. */
  remember(node: Node | undefined): Node | undefined {
    if (node) this.substitutions.push(node)
    return node
  }

  /** Nodes up to the letter that ends them; undefined when one does not parse. */
  until(end: string, parse: () => Node | undefined): Node[] | undefined {
    const nodes: Node[] = []
    while (!this.skip(end)) {
      const node = parse()
      if (!node) return undefined
      nodes.push(node)
    }
    return nodes
  }

  encoding(isShort = false): Node | undefined {
    const { levels } = this
    this.levels = []
    const node = this.#isTooDeep() ? undefined : this.#grammar.encoding(this, isShort)
    this.#depth--
    this.levels = levels
    return node
  }

  expression(): Node | undefined {
    const node = this.#isTooDeep() ? undefined : this.#grammar.expression(this)
    this.#depth--
    return node
  }

  name(state?: NameState): Node | undefined {
    const node = this.#isTooDeep() ? undefined : this.#grammar.name(this, state)
    this.#depth--
    return node
  }

  templateArgs(isTagged = false): Node | undefined {
    const node = this.#isTooDeep() ? undefined : this.#grammar.templateArgs(this, isTagged)
    this.#depth--
    return node
  }

  type(): Node | undefined {
    const node = this.#isTooDeep() ? undefined : this.#grammar.type(this)
    this.#depth--
    return node
  }

  /** A rule that calls itself without one of the above between. */
  nested(rule: (parser: Parser) => Node | undefined): Node | undefined {
    const node = this.#isTooDeep() ? undefined : rule(this)
    this.#depth--
    return node
  }

  /** A type whose template arguments belong to what contains it. */
  typeWithoutArgs(): Node | undefined {
    const before = this.takesTemplateArgs
    this.takesTemplateArgs = false
    const node = this.type()
    this.takesTemplateArgs = before
    return node
  }

  /** An expression in which template parameters are named, not replaced: those of all levels are in scope. */
  constraint(): Node | undefined {
    const before = this.isConstraint
    this.isConstraint = true
    const node = this.expression()
    this.isConstraint = before
    return node
  }

  #isTooDeep(): boolean {
    return ++this.#depth > limits.depth || ++this.#steps > limits.steps
  }
}
