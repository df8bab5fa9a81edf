/**
 * The state of the plain way from a C++ name to its text: see demangle-plain.ts. Text is written as the name is read, and whatever may be
 * referred to later is a range of the text. One parser serves all names, one after the other.
 */

/** What a rule gives in place of a shape where the name is not plain: it is then left to the tree. */
export const notPlain = -1

/** What must be known of a type that is wrapped in another; bits. */
export const Shape = {
  plain: 0,
  lvalueReference: 1,
  rvalueReference: 2,
  /** Part of it is printed right of a declared name, so that nothing can be put around it as text. */
  hasRight: 4,
  /** Its text stands nowhere, or is another one each time. */
  unprintable: 8,
  /** `std::string` and its like, whose constructors are named in full. */
  abbreviation: 16,
  /** Only as a substitution: an argument that is a pack, of which each time another element is meant. */
  pack: 32,
} as const

/** Longer names are not plain, so that what is written before a check is bounded too. */
export const maxNameBytes = 4096
const maxOutput = 128 * 1024
const longestLookahead = 4
/** No rule but a copy writes more than this for each byte it reads. */
const mostPerByte = 32
const maxDepth = 100
/** Times that the patterns of packs are written in one name. */
const maxExpansions = 256

/** Rules that rules of other files need. */
export interface PlainGrammar {
  encoding: (parser: PlainParser, isShort: boolean) => number
  name: (parser: PlainParser, isDeclared: boolean) => number
  templateArgs: (parser: PlainParser, isTagged: boolean) => number
  type: (parser: PlainParser) => number
}

/** Ranges of the text, each with its shape: start, end, shape. */
export type Ranges = Int32Array

const ranges = (): Ranges => new Int32Array(maxNameBytes * 3)

export class PlainParser {
  readonly grammar: PlainGrammar
  /** The name with zeros after it, and the place in it, which never passes its end. */
  readonly bytes = Buffer.allocUnsafeSlow(maxNameBytes + longestLookahead)
  at = 0
  end = 0
  readonly text = Buffer.allocUnsafeSlow(maxOutput + maxNameBytes * mostPerByte)
  length = 0
  readonly #swapped = Buffer.allocUnsafeSlow(this.text.length)

  readonly substitutions = ranges()
  substitutionCount = 0

  /** Template arguments that parameters refer to: the last `levelCount` of them from `levelStart` on; a count of −1 is no level at all. */
  readonly args = ranges()
  /** Where the elements of an argument that is a pack start among `elements`, or −1, and how many there are. */
  readonly packs = new Int32Array(maxNameBytes * 2)
  argCount = 0
  levelStart = 0
  levelCount = -1
  /** Tells levels apart; none has the number of another. */
  level = 0
  /** Levels so far. */
  levels = 0
  readonly elements = ranges()
  elementCount = 0

  /** Inside of the parameters of a lambda where no level is: unknown parameters are its `auto` ones. */
  isGeneric = false

  /** Which element of packs is written, and how many they have: −1 until the pattern has named one. */
  isExpanding = false
  packIndex = 0
  packCount = -1
  expansions = 0

  /** What the end of a function's name tells about what follows: see `NameState`. */
  isUntyped = false
  endsWithTemplateArgs = false
  qualifiers = 0

  /** What a constructor of the name just written is called, as a range; empty where that is not known. */
  baseStart = 0
  baseEnd = 0
  #depth = 0

  constructor(grammar: PlainGrammar) {
    this.grammar = grammar
  }

  /** Starts on the name of `length` bytes that was put into `bytes`. */
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

  /** A byte of the name, 0 past its end. */
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

  /** Digits as a number, or −1 where there are none. */
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

  /** Copies `count` bytes of the name; false where one of them is not ASCII. */
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

  /** Remembers the text from `start` on for later `S` references; gives its shape. */
  remember(start: number, shape: number): number {
    if (shape !== notPlain) put(this.substitutions, this.substitutionCount++, start, this.length, shape)
    return shape
  }

  /** Remembers an argument of the level at hand that is a pack. */
  rememberPack(arg: number): void {
    put(this.substitutions, this.substitutionCount++, arg, this.level, Shape.pack)
  }

  /** Starts a level of template arguments. */
  enterLevel(): void {
    this.levelStart = this.argCount
    this.levelCount = 0
    this.level = ++this.levels
  }

  /** Adds an argument to the level at hand. A pack's elements are those from `firstElement` on; −1 is no pack. */
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

  /** Whether another pass over the pattern of packs is too much. */
  isTooLong(): boolean {
    return ++this.expansions > maxExpansions || this.length > maxOutput
  }

  type(): number {
    if (++this.#depth > maxDepth) return notPlain
    const shape = this.grammar.type(this)
    this.#depth--
    return shape
  }

  encoding(isShort: boolean): number {
    if (++this.#depth > maxDepth) return notPlain
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
