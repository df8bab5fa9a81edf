/**
 * The tree a C++ name stands for. Most nodes are a `sequence`: words and nodes printed one after the other. The other
 * kinds print around what they qualify (`int (*)[3]`), depend on where they are printed, or can be more than one thing.
 */
export type Kind =
  /** `text`. */
  | 'name'
  | 'sequence'
  /** Parts with commas between them; a part that prints nothing takes its comma along. */
  | 'list'
  /** Parts in the brackets `text`, where `>` means greater than. */
  | 'brackets'
  /** Parts in `<>`, where `>` would end them. */
  | 'angles'
  /** The part as an operand of `precedence`; `text` is `strict` where an equal one needs no parentheses. */
  | 'operand'
  /** Only what the part prints left of a declared name. */
  | 'left'
  /** Left operand, operator, right operand. */
  | 'binary'
  /** The type, and its qualifiers as `text`. */
  | 'qualified'
  | 'pointer'
  /** `text` is `&` or `&&`. */
  | 'reference'
  /** The member's type, then the class. */
  | 'member pointer'
  /** The element type, then its size if known. */
  | 'array'
  /** The result, then the parameter list, then what follows it. */
  | 'function'
  /** The name, the parameter list, what follows it, and the result where it was mangled. */
  | 'encoding'
  /** A template parameter's declaration: left part, right part, and for a non-type one its type. */
  | 'declaration'
  | 'pack declaration'
  /** Of these the one at the place of the expansion is printed. */
  | 'pack'
  | 'argument pack'
  | 'expansion'
  /** A template argument that comes later in the name: `index`, found when it has come. */
  | 'forward'
  /** `std::string` and its like: `text` in names, `index` 1 in the long form constructors need. */
  | 'special'
  /** A lambda: its name, then its declarator. */
  | 'closure'
  | 'objc protocol'
  | 'module'

export type Part = string | Node

export interface Node {
  readonly kind: Kind
  readonly text: string
  readonly parts: readonly Part[]
  readonly precedence: number
  readonly index: number
  /** What a constructor of it is called. */
  readonly baseName: string
  /** What a forward reference turned out to be. */
  target: Node | undefined
  /** Being printed, so that a reference to itself ends. */
  busy: boolean
}

/** How tightly an operator binds its operands; the lower binds tighter. */
export const precedence = {
  primary: 0,
  postfix: 1,
  unary: 2,
  cast: 3,
  memberPointer: 4,
  multiplicative: 5,
  additive: 6,
  shift: 7,
  spaceship: 8,
  relational: 9,
  equality: 10,
  and: 11,
  xor: 12,
  or: 13,
  andIf: 14,
  orIf: 15,
  conditional: 16,
  assign: 17,
  comma: 18,
  none: 19,
} as const

export function node(kind: Kind, text: string, parts: readonly Part[], rank = 0, baseName = ''): Node {
  return { kind, text, parts, precedence: rank, index: 0, baseName, target: undefined, busy: false }
}

export const nameNode = (text: string): Node => node('name', text, [], 0, text)

export const sequence = (...parts: Part[]): Node => node('sequence', '', parts)

/** A sequence that is an expression of a precedence. */
export const expression = (rank: number, ...parts: Part[]): Node => node('sequence', '', parts, rank)

/** A sequence whose constructors are called as those of `base`. */
export const named = (base: Node, ...parts: Part[]): Node => node('sequence', '', parts, 0, base.baseName)

export const list = (parts: readonly Part[]): Node => node('list', '', parts)

export const parens = (...parts: Part[]): Node => node('brackets', '()', parts)

export const operand = (inner: Node, rank: number = precedence.none, strict = false): Node =>
  node('operand', strict ? 'strict' : '', [inner], rank)

/** The first part that is a node. */
export function inner(outer: Node, at = 0): Node | undefined {
  const part = outer.parts[at]
  return typeof part === 'object' ? part : undefined
}
