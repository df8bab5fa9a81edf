import { limits } from '../limits.ts'
import type { Node } from './node.ts'

/** Properties of a function's name that decide how the types after it are read. */
export interface NameState {
  /** Whether the name is a constructor, destructor or conversion, for which no result type is mangled. */
  isUntyped: boolean
  endsWithTemplateArgs: boolean
  /** CV qualifiers as they are printed: ` const volatile restrict`. */
  qualifiers: string
  /** The reference qualifier as it is printed: ` &` or ` &&`. */
  refQualifier: string
  hasExplicitObject: boolean
}

/** Rules that rules of other files need. The parser calls them and counts the depth. */
export interface Grammar {
  encoding: (parser: Parser, isShort: boolean) => Node | undefined
  expression: (parser: Parser) => Node | undefined
  name: (parser: Parser, state: NameState | undefined) => Node | undefined
  templateArgs: (parser: Parser, isTagged: boolean) => Node | undefined
  type: (parser: Parser) => Node | undefined
}

/** A cursor over a C++ name, with the substitutions and template parameters that were parsed so far. */
export class Parser {
  readonly text: string
  readonly substitutions: Node[] = []
  /** References to template arguments that come later in the name. */
  forwards: Node[] = []
  /** Template parameters by level. The level of a lambda with `auto` parameters is undefined. */
  levels: (Node[] | undefined)[] = []
  /** How many parameters of each kind (type, value, template) were invented for declarations without names. */
  readonly invented = { $T: 0, $N: 0, $TT: 0 }
  /** Whether an `I` after a type belongs to the type. After a conversion operator it belongs to the operator. */
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
    // Most expected texts are one letter and mostly absent, so the first letter is compared first.
    if (this.text.charCodeAt(this.pos) !== expected.charCodeAt(0)) return false
    if (expected.length > 1 && !this.text.startsWith(expected, this.pos)) return false
    this.pos += expected.length
    return true
  }

  /** Reads digits, with an `n` before them if negative numbers are allowed; '' if there are none. */
  number(mayBeNegative = false): string {
    const start = this.pos
    if (mayBeNegative) this.skip('n')
    if (!this.isDigit()) return ''
    while (this.isDigit()) this.pos++
    return this.text.slice(start, this.pos)
  }

  /** Reads a length-prefixed identifier; '' if there is none. */
  word(): string {
    let length = 0
    for (; this.isDigit() && length < this.text.length; this.pos++)
      length = length * 10 + this.text.charCodeAt(this.pos) - 48
    if (length > this.text.length - this.pos) return ''
    this.pos += length
    return this.text.slice(this.pos - length, this.pos)
  }

  /** Reads `<seq-id>`, a number of base 36 with upper-case digits. */
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

  /** Adds a node to the substitutions, for later references by `S`. */
  remember(node: Node | undefined): Node | undefined {
    if (node) this.substitutions.push(node)
    return node
  }

  /** Parses nodes up to the letter that ends them; undefined if one of them is malformed. */
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

  /** Calls a rule that may recurse without passing through one of the rules above, and counts its depth. */
  nested(rule: (parser: Parser) => Node | undefined): Node | undefined {
    const node = this.#isTooDeep() ? undefined : rule(this)
    this.#depth--
    return node
  }

  /** Parses a type without template arguments, because they belong to the construct around it. */
  typeWithoutArgs(): Node | undefined {
    const before = this.takesTemplateArgs
    this.takesTemplateArgs = false
    const node = this.type()
    this.takesTemplateArgs = before
    return node
  }

  /** Parses a constraint, an expression in which template parameters are printed by name instead of their arguments. */
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
