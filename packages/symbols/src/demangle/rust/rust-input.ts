import { decodeRustPunycode } from './rust-punycode.ts'

/** An identifier in a mangled name. */
export interface RustIdentifier {
  name: string
  isPunycode: boolean
}

/** The largest number that 64 bits hold, which is where LLVM's demangler gives up. */
const maxNumber = 2n ** 64n - 1n

/** Reads the letters and numbers of a mangled name. After a mistake, `failed` is set and nothing more is read. */
export class RustInput {
  readonly text: string
  at = 0
  failed = false

  constructor(text: string) {
    this.text = text
  }

  fail(): void {
    this.failed = true
  }

  peek(): string {
    return this.failed ? '' : (this.text[this.at] ?? '')
  }

  /** Takes one character; fails at the end. */
  take(): string {
    const character = this.peek()
    if (character === '') this.fail()
    else this.at++
    return character
  }

  takeIf(wanted: string): boolean {
    if (this.peek() !== wanted) return false
    this.at++
    return true
  }

  /** Reads a number in base 62 that ends with an underscore. A lone underscore is 0. */
  base62(): bigint {
    if (this.takeIf('_')) return 0n
    let value = 0n
    for (;;) {
      const character = this.take()
      if (character === '_') return this.#check(value + 1n)
      const digit = toDigit(character)
      if (digit < 0) this.fail()
      if (this.failed) return 0n
      value = this.#check(value * 62n + BigInt(digit))
    }
  }

  /** Reads a number behind a letter, and adds 1; 0 if the letter is not there. */
  optionalBase62(tag: string): bigint {
    if (!this.takeIf(tag)) return 0n
    const value = this.base62()
    return this.failed ? 0n : this.#check(value + 1n)
  }

  /** Reads the digits of a hexadecimal number that ends with an underscore. */
  hexadecimal(): string {
    const start = this.at
    const end = this.text.indexOf('_', start)
    const digits = end < 0 ? '' : this.text.slice(start, end)
    if (this.failed || !/^(?:0|[1-9a-f][0-9a-f]*)$/.test(digits)) {
      this.fail()
      return ''
    }
    this.at = end + 1
    return digits
  }

  identifier(): RustIdentifier {
    const isPunycode = this.takeIf('u')
    const length = this.#decimal()
    this.takeIf('_')
    const name = this.text.slice(this.at, this.at + length)
    if (this.failed || name.length !== length || !/^[A-Za-z0-9_]*$/.test(name)) {
      this.fail()
      return { name: '', isPunycode: false }
    }
    this.at += length
    return { name, isPunycode }
  }

  /** The identifier as text; fails if its Punycode is malformed. */
  toText({ name, isPunycode }: RustIdentifier): string {
    if (!isPunycode) return name
    const text = decodeRustPunycode(name)
    if (text === undefined) this.fail()
    return text ?? ''
  }

  #decimal(): number {
    const digits = /^(?:0|[1-9][0-9]*)/.exec(this.text.slice(this.at, this.at + 20))?.[0]
    if (digits === undefined || this.failed) {
      this.fail()
      return 0
    }
    this.at += digits.length
    return Number(digits)
  }

  #check(value: bigint): bigint {
    if (value > maxNumber) this.fail()
    return value
  }
}

function toDigit(character: string): number {
  if (character >= '0' && character <= '9') return character.charCodeAt(0) - 48
  if (character >= 'a' && character <= 'z') return character.charCodeAt(0) - 87
  if (character >= 'A' && character <= 'Z') return character.charCodeAt(0) - 29
  return -1
}
