import { limits } from '../limits.ts'
import { readConstant } from './read-constant.ts'
import { RustInput } from './rust-input.ts'
import { basicTypes, nameLifetime } from './rust-names.ts'

const maxDepth = 500

/**
 * Reads a mangled name from left to right and writes the demangled one. A back reference reads an earlier part again,
 * so the output has a limit. Parts that are not shown are read with `#isShown` off.
 */
export class RustParser {
  readonly #input: RustInput
  #output = ''
  #isShown = true
  #depth = 0
  #steps = 0
  #boundLifetimes = 0n

  constructor(text: string) {
    this.#input = new RustInput(text)
  }

  /** The demangled name; undefined if it is malformed or too long. */
  parse(): string | undefined {
    const input = this.#input
    this.#path(false)
    if (!input.failed && input.at < input.text.length) this.#hidden(() => this.#path(false))
    if (input.at < input.text.length) input.fail()
    return input.failed ? undefined : this.#output
  }

  #print(text: string): void {
    if (!this.#isShown || this.#input.failed) return
    this.#output += text
    if (this.#output.length > limits.outputLength) this.#input.fail()
  }

  #hidden(read: () => void): void {
    const before = this.#isShown
    this.#isShown = false
    read()
    this.#isShown = before
  }

  #nested(read: () => void): void {
    if (this.#input.failed || this.#depth >= maxDepth || ++this.#steps > limits.steps) return this.#input.fail()
    this.#depth++
    read()
    this.#depth--
  }

  /** Reads an entity. Returns whether its generic arguments were left open, which only happens if `leaveOpen`. */
  #path(isInType: boolean, leaveOpen = false): boolean {
    let isOpen = false
    this.#nested(() => {
      isOpen = this.#pathOfKind(this.#input.take(), isInType, leaveOpen)
    })
    return isOpen
  }

  #pathOfKind(kind: string, isInType: boolean, leaveOpen: boolean): boolean {
    const input = this.#input
    switch (kind) {
      case 'C':
        input.optionalBase62('s')
        this.#print(input.toText(input.identifier()))
        return false
      case 'M':
        this.#implementation(isInType)
        this.#print('<')
        this.#type()
        this.#print('>')
        return false
      case 'X':
        this.#implementation(isInType)
        this.#trait()
        return false
      case 'Y':
        this.#trait()
        return false
      case 'N':
        this.#nestedPath(isInType)
        return false
      case 'I':
        this.#path(isInType)
        this.#print(isInType ? '<' : '::<')
        this.#list(', ', () => this.#genericArgument())
        if (leaveOpen) return true
        this.#print('>')
        return false
      case 'B': {
        let isOpen = false
        this.#backReference(() => {
          isOpen = this.#path(isInType, leaveOpen)
        })
        return isOpen
      }
      default:
        input.fail()
        return false
    }
  }

  #trait(): void {
    this.#print('<')
    this.#type()
    this.#print(' as ')
    this.#path(true)
    this.#print('>')
  }

  #implementation(isInType: boolean): void {
    this.#hidden(() => {
      this.#input.optionalBase62('s')
      this.#path(isInType)
    })
  }

  #nestedPath(isInType: boolean): void {
    const input = this.#input
    const namespace = input.take()
    if (!/^[A-Za-z]$/.test(namespace)) return input.fail()
    this.#path(isInType)
    const disambiguator = input.optionalBase62('s')
    const identifier = input.identifier()
    const name = identifier.name === '' ? '' : input.toText(identifier)
    if (namespace >= 'a') {
      if (name !== '') this.#print(`::${name}`)
      return
    }
    const kind = namespace === 'C' ? 'closure' : namespace === 'S' ? 'shim' : namespace
    this.#print(`::{${kind}${name === '' ? '' : `:${name}`}#${disambiguator}}`)
  }

  /** Reads items up to `E`, and returns their number. */
  #list(separator: string, read: () => void): number {
    let count = 0
    for (; !this.#input.failed && !this.#input.takeIf('E'); count++) {
      if (count > 0) this.#print(separator)
      read()
    }
    return count
  }

  #genericArgument(): void {
    if (this.#input.takeIf('L')) this.#lifetime(this.#input.base62())
    else if (this.#input.takeIf('K')) this.#constant()
    else this.#type()
  }

  #type(): void {
    this.#nested(() => {
      const start = this.#input.at
      const kind = this.#input.take()
      const basic = basicTypes.get(kind)
      if (basic !== undefined) this.#print(basic)
      else this.#typeOfKind(kind, start)
    })
  }

  #typeOfKind(kind: string, start: number): void {
    const input = this.#input
    switch (kind) {
      case 'A':
        this.#print('[')
        this.#type()
        this.#print('; ')
        this.#constant()
        return this.#print(']')
      case 'S':
        this.#print('[')
        this.#type()
        return this.#print(']')
      case 'T': {
        this.#print('(')
        const count = this.#list(', ', () => this.#type())
        return this.#print(count === 1 ? ',)' : ')')
      }
      case 'R':
      case 'Q':
        this.#print('&')
        this.#optionalLifetime('', ' ')
        if (kind === 'Q') this.#print('mut ')
        return this.#type()
      case 'P':
        this.#print('*const ')
        return this.#type()
      case 'O':
        this.#print('*mut ')
        return this.#type()
      case 'F':
        return this.#withLifetimes(() => this.#function())
      case 'D':
        this.#withLifetimes(() => {
          this.#print('dyn ')
          this.#binder()
          this.#list(' + ', () => this.#dynamicTrait())
        })
        if (input.peek() !== 'L') return input.fail()
        return this.#optionalLifetime(' + ', '')
      case 'B':
        return this.#backReference(() => this.#type())
      default:
        input.at = start
        this.#path(true)
    }
  }

  #optionalLifetime(before: string, after: string): void {
    if (!this.#input.takeIf('L')) return
    const index = this.#input.base62()
    if (index === 0n) return
    this.#print(before)
    this.#lifetime(index)
    this.#print(after)
  }

  #withLifetimes(read: () => void): void {
    const before = this.#boundLifetimes
    read()
    this.#boundLifetimes = before
  }

  #function(): void {
    const input = this.#input
    this.#binder()
    if (input.takeIf('U')) this.#print('unsafe ')
    if (input.takeIf('K')) {
      if (input.takeIf('C')) this.#print('extern "C" ')
      else {
        const { name, isPunycode } = input.identifier()
        if (isPunycode) input.fail()
        this.#print(`extern "${name.replaceAll('_', '-')}" `)
      }
    }
    this.#print('fn(')
    this.#list(', ', () => this.#type())
    this.#print(')')
    if (input.takeIf('u')) return
    this.#print(' -> ')
    this.#type()
  }

  #dynamicTrait(): void {
    const input = this.#input
    let isOpen = this.#path(true, true)
    while (!input.failed && input.takeIf('p')) {
      this.#print(isOpen ? ', ' : '<')
      isOpen = true
      this.#print(input.toText(input.identifier()))
      this.#print(' = ')
      this.#type()
    }
    if (isOpen) this.#print('>')
  }

  #binder(): void {
    const count = this.#input.optionalBase62('G')
    if (this.#input.failed || count === 0n) return
    // Each lifetime is named later, which takes at least one character.
    if (count >= BigInt(this.#input.text.length) - this.#boundLifetimes) return this.#input.fail()
    this.#print('for<')
    for (let index = 0n; index < count; index++) {
      this.#boundLifetimes++
      if (index > 0n) this.#print(', ')
      this.#lifetime(1n)
    }
    this.#print('> ')
  }

  #lifetime(index: bigint): void {
    if (index === 0n) return this.#print("'_")
    if (index > this.#boundLifetimes) return this.#input.fail()
    this.#print(nameLifetime(this.#boundLifetimes - index))
  }

  #constant(): void {
    this.#nested(() => {
      const kind = this.#input.take()
      if (kind === 'B') this.#backReference(() => this.#constant())
      else if (kind === 'p') this.#print('_')
      else this.#print(readConstant(this.#input, kind))
    })
  }

  /** Reads again from an earlier place; what is not shown is not read again. */
  #backReference(read: () => void): void {
    const input = this.#input
    const place = input.base62()
    if (input.failed || place >= BigInt(input.at)) return input.fail()
    if (!this.#isShown) return
    const before = input.at
    input.at = Number(place)
    read()
    input.at = before
  }
}
