/**
 * The tree of a C++ name. Most nodes are a `sequence`: words and nodes that are printed one after the other. The other
 * kinds print around the name that they declare (`int (*)[3]`), depend on where they are printed, or stand for one of
 * several nodes.
 */
export type Kind =
  /** Prints `text`. */
  | 'name'
  | 'sequence'
  /** Prints its parts with commas between them; a part that prints nothing gets no comma. */
  | 'list'
  /** Prints its parts in the brackets `text`. Inside of them, `>` is the operator. */
  | 'brackets'
  /** Prints its parts in `<>`. Inside of them, an operator `>` needs parentheses. */
  | 'angles'
  /**
   * Prints its part as an operand of `precedence`. With the text `strict`, an operand of equal precedence gets
   * parentheses.
   */
  | 'operand'
  /** Prints the left half of its part: what stands left of a declared name. */
  | 'left'
  /** Parts: left operand, operator, right operand. */
  | 'binary'
  /** Parts: the type; `text` holds its qualifiers. */
  | 'qualified'
  | 'pointer'
  /** A reference; `text` is `&` or `&&`. */
  | 'reference'
  /** Parts: the member's type, then the class. */
  | 'member pointer'
  /** Parts: the element type, then its bound if known. */
  | 'array'
  /** Parts: the result, the parameter list, then the qualifiers after it. */
  | 'function'
  /** Parts: the name, the parameter list, the qualifiers after it, and the result if the mangled name has one. */
  | 'encoding'
  /** The declaration of a template parameter. Parts: left half, right half, and for a non-type parameter its type. */
  | 'declaration'
  | 'pack declaration'
  /** An argument pack. The part at the current place of the expansion is printed. */
  | 'pack'
  | 'argument pack'
  | 'expansion'
  /** A reference to the template argument `index`, which comes later in the name. `target` is set once it is parsed. */
  | 'forward'
  /**
   * An abbreviation such as `std::string`: names print `text`, and constructors need the long form, for which `index`
   * is 1.
   */
  | 'special'
  /** A lambda. Parts: its name, then its declarator. */
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
  /** The name of a constructor of this node. */
  readonly baseName: string
  /** The node that a forward reference refers to, once it is known. */
  target: Node | undefined
  /** True while the node is being printed, so that a node that contains itself does not recurse forever. */
  busy: boolean
}

/** Precedence of operators as a rank: a lower rank binds tighter. */
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

/** Creates a sequence that is an expression of the given precedence. */
export const expression = (rank: number, ...parts: Part[]): Node => node('sequence', '', parts, rank)

/** Creates a sequence whose constructors have the name that those of `base` have. */
export const named = (base: Node, ...parts: Part[]): Node => node('sequence', '', parts, 0, base.baseName)

export const list = (parts: readonly Part[]): Node => node('list', '', parts)

export const parens = (...parts: Part[]): Node => node('brackets', '()', parts)

export const operand = (inner: Node, rank: number = precedence.none, strict = false): Node =>
  node('operand', strict ? 'strict' : '', [inner], rank)

/** Returns the part at index `at` if it is a node. */
export function inner(outer: Node, at = 0): Node | undefined {
  const part = outer.parts[at]
  return typeof part === 'object' ? part : undefined
}
