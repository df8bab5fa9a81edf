/**
 * The state of the fast path of the C++ demangler (see demangle-fast.ts). Text is written while the name is read, and
 * a part that may be referred to later is a range of the text. One parser serves all names, one after another.
 */

import { createWordTables } from './words.ts'

/** The result of a rule for a name that needs the tree. */
export const unsupported = -1

/** Properties of a type that matter when another type wraps it, as bits. */
export const Shape = {
  plain: 0,
  lvalueReference: 1,
  rvalueReference: 2,
  /** A part of the type is printed right of a declared name, so that it cannot be wrapped as text. */
  hasRight: 4,
  /** The type has no text of its own, or another text each time. */
  unprintable: 8,
  /** An abbreviation such as `std::string`, whose constructors are named in full. */
  abbreviation: 16,
  /** Only for substitutions: an argument that is a pack, which means another element each time. */
  pack: 32,
} as const

/** The longest name of the fast path in bytes. It also bounds the text that is written between two checks. */
export const maxNameBytes = 4096
const maxOutput = 128 * 1024
const longestLookahead = 4
/** The most bytes that a rule other than a copy writes for each byte that it reads. */
const mostPerByte = 32
const maxDepth = 100
/** The number of times that patterns of packs are written in one name. */
const maxExpansions = 256

/** Rules that rules of other files call. */
export interface FastGrammar {
  encoding: (parser: FastParser, isShort: boolean) => number
  name: (parser: FastParser, isDeclared: boolean) => number
  templateArgs: (parser: FastParser, isTagged: boolean) => number
  type: (parser: FastParser) => number
}

/** Ranges of the text, each with its shape: start, end, shape. */
export type Ranges = Int32Array

const ranges = (): Ranges => new Int32Array(maxNameBytes * 3)

export class FastParser {
  readonly grammar: FastGrammar
  readonly words = createWordTables()
  /** The name, followed by zeros, and the current position, which never passes its end. */
  readonly bytes = Buffer.allocUnsafeSlow(maxNameBytes + longestLookahead)
  at = 0
  end = 0
  readonly text = Buffer.allocUnsafeSlow(maxOutput + maxNameBytes * mostPerByte)
  length = 0
  readonly #swapped = Buffer.allocUnsafeSlow(this.text.length)

  readonly substitutions = ranges()
  substitutionCount = 0

  /**
   * Template arguments that parameters refer to: the last `levelCount` arguments, from `levelStart` on. A count of −1
   * means that there is no level.
   */
  readonly args = ranges()
  /**
   * For an argument that is a pack: the index of its first element in `elements` (−1 for other arguments), and the
   * number of its elements.
   */
  readonly packs = new Int32Array(maxNameBytes * 2)
  argCount = 0
  levelStart = 0
  levelCount = -1
  /** The number of the current level. Each level has its own number. */
  level = 0
  /** The number of levels that were started in this name. */
  levels = 0
  readonly elements = ranges()
  elementCount = 0

  /**
   * Whether the parser is in the parameters of a lambda without a template level; unknown template parameters are then
   * its `auto` parameters.
   */
  isGeneric = false

  /**
   * The index of the pack element that is written, and the length of the packs: −1 until the pattern has named a pack.
   */
  isExpanding = false
  packIndex = 0
  packCount = -1
  expansions = 0

  /** Properties of the function's name that decide how the types after it are read, as in `NameState`. */
  isUntyped = false
  endsWithTemplateArgs = false
  qualifiers = 0

  /** The range of the text that a constructor of the name just written would repeat; empty if that is not known. */
  baseStart = 0
  baseEnd = 0
  #depth = 0

  constructor(grammar: FastGrammar) {
    this.grammar = grammar
  }

  /** Starts to parse the name of `length` bytes in `bytes`. */
  start(at: number, length: number): void {
    this.bytes.fill(0, length, length + longestLookahead)
    this.at = at
    this.end = length
    this.length = 0
    this.substitutionCount = 0
    this.argCount = 0
    this.levelCount = -1
    this.elementCount = 0
    this.levels = 0
    this.isGeneric = this.isExpanding = false
    this.expansions = 0
    this.#depth = 0
  }

  get done(): boolean {
    return this.at >= this.end
  }

  /** The byte of the name at an offset from the current position; 0 past its end. */
  peek(ahead = 0): number {
    return this.bytes[this.at + ahead] as number
  }

  skip(expected: number): boolean {
    if (this.bytes[this.at] !== expected) return false
    this.at++
    return true
  }

  isDigit(ahead = 0): boolean {
    const byte = this.peek(ahead)
    return byte >= 0x30 && byte <= 0x39
  }

  /** Reads digits as a number; −1 if there are none. */
  number(): number {
    if (!this.isDigit()) return -1
    let value = 0
    while (this.isDigit() && value < 1e9) value = value * 10 + (this.bytes[this.at++] as number) - 0x30
    return value
  }

  write(word: Uint8Array): void {
    const { text } = this
    let { length } = this
    for (let index = 0; index < word.length; index++) text[length++] = word[index] as number
    this.length = length
  }

  /** Copies `count` bytes of the name. Returns false if one of them is not ASCII. */
  writeFromName(count: number): boolean {
    const { text, bytes } = this
    let { length, at } = this
    let all = 0
    for (const end = at + count; at < end; at++) {
      const byte = bytes[at] as number
      all |= byte
      text[length++] = byte
    }
    this.at = at
    this.length = length
    return all < 0x80
  }

  /** Writes a range of the text again. */
  copy(start: number, end: number): boolean {
    if (this.length + end - start > maxOutput) return false
    const { text, length } = this
    if (end - start > 48) text.copyWithin(length, start, end)
    else for (let from = start, to = length; from < end; from++, to++) text[to] = text[from] as number
    this.length = length + end - start
    return true
  }

  /** Remembers the text from `start` on as a substitution, and returns its shape. */
  remember(start: number, shape: number): number {
    if (shape !== unsupported) put(this.substitutions, this.substitutionCount++, start, this.length, shape)
    return shape
  }

  /** Adds an argument that is a pack to the current level. */
  rememberPack(arg: number): void {
    put(this.substitutions, this.substitutionCount++, arg, this.level, Shape.pack)
  }

  /** Starts a level of template arguments. */
  enterLevel(): void {
    this.levelStart = this.argCount
    this.levelCount = 0
    this.level = ++this.levels
  }

  /**
   * Adds an argument to the current level. The elements of a pack are those from `firstElement` on; −1 marks an
   * argument that is no pack.
   */
  addArg(start: number, shape: number, firstElement: number): void {
    put(this.args, this.argCount, start, this.length, shape)
    this.packs[this.argCount * 2] = firstElement
    this.packs[this.argCount * 2 + 1] = this.elementCount - firstElement
    this.argCount++
    this.levelCount++
  }

  addElement(start: number, shape: number): void {
    put(this.elements, this.elementCount++, start, this.length, shape)
  }

  /** Exchanges the text from `start` to `middle` with what follows it, and all ranges in both. */
  swap(start: number, middle: number): void {
    this.text.copy(this.#swapped, 0, start, middle)
    this.text.copyWithin(start, middle, this.length)
    this.#swapped.copy(this.text, start + this.length - middle, 0, middle - start)
    move(this.substitutions, this.substitutionCount, start, middle, this.length)
    move(this.args, this.argCount, start, middle, this.length)
    move(this.elements, this.elementCount, start, middle, this.length)
  }

  /** Whether another pass over a pattern of packs would exceed the limit. */
  isTooLong(): boolean {
    return ++this.expansions > maxExpansions || this.length > maxOutput
  }

  type(): number {
    if (++this.#depth > maxDepth) return unsupported
    const shape = this.grammar.type(this)
    this.#depth--
    return shape
  }

  encoding(isShort: boolean): number {
    if (++this.#depth > maxDepth) return unsupported
    const shape = this.grammar.encoding(this, isShort)
    this.#depth--
    return shape
  }
}

function put(all: Ranges, index: number, start: number, end: number, shape: number): void {
  const at = index * 3
  all[at] = start
  all[at + 1] = end
  all[at + 2] = shape
}

function move(all: Ranges, count: number, start: number, middle: number, end: number): void {
  for (let at = 0; at < count * 3; at += 3) {
    const from = all[at] as number
    if (from < start || all[at + 2] === Shape.pack) continue
    const shift = from < middle ? end - middle : start - middle
    all[at] = from + shift
    all[at + 1] = (all[at + 1] as number) + shift
  }
}
