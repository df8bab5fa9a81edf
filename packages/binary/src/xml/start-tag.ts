/** Reads a start tag: its name, and its attributes with references resolved. */
import { outOfRange } from '@fairlead/invariant'
import { maxNameCharacters, resolveReferences, type ReferenceHandler } from './references.ts'
import { XmlError } from './xml-error.ts'
import { skipName, skipSpace } from './xml-names.ts'

export interface StartTag {
  name: string
  /** Without a prototype. The first attribute of a name counts. */
  attributes: Record<string, string>
  isSelfClosing: boolean
  /** The offset of the text after the tag. */
  end: number
}

const [doubleQuote, singleQuote, slash, equals, greater] = [0x22, 0x27, 0x2f, 0x3d, 0x3e]
const maxAttributes = 1_000
const maxAttributeCharacters = 4 * 1024 * 1024
const maxInterned = 12
/** Objects that inherit from an empty object are faster than those without a prototype. */
const noProperties: object = Object.freeze(Object.create(null))

export class StartTagReader {
  readonly #handler: ReferenceHandler
  /** Names that occurred before, so that equal names are one string, which is compared by its address. */
  readonly #names: string[] = Array.from({ length: 64 }, () => '')

  constructor(handler: ReferenceHandler) {
    this.#handler = handler
  }

  /** Reads the tag whose `<` is at `at`. Returns null if the text ends before the tag does. Throws XmlError. */
  read(text: string, at: number): StartTag | null {
    const nameEnd = skipName(text, at + 1)
    if (nameEnd === text.length) return null
    const name = this.#readName(text, at + 1, nameEnd)
    // The type says what is added below; TypeScript knows nothing of an object that is made from another.
    const attributes: Record<string, string> = Object.create(noProperties)
    let from = nameEnd
    for (let count = 0; ; count++) {
      const next = skipSpace(text, from)
      const code = text.charCodeAt(next)
      if (code === greater) return { name, attributes, isSelfClosing: false, end: next + 1 }
      if (next >= text.length || (code === slash && next + 1 === text.length)) return null
      if (code === slash && text.charCodeAt(next + 1) === greater) {
        return { name, attributes, isSelfClosing: true, end: next + 2 }
      }
      if (next === from) throw new XmlError('malformed', 'White space is missing in a tag.')
      if (count === maxAttributes) throw new XmlError('too-large', `A tag has more than ${maxAttributes} attributes.`)
      from = this.#readAttribute(text, next, attributes)
      if (from === 0) return null
    }
  }

  /** Reads the attribute at `at` and returns its end; 0 if the text ends before the attribute does. */
  #readAttribute(text: string, at: number, attributes: Record<string, string>): number {
    const nameEnd = skipName(text, at)
    if (nameEnd === text.length) return 0
    const name = this.#readName(text, at, nameEnd)
    const equalsAt = text.charCodeAt(nameEnd) === equals ? nameEnd : skipSpace(text, nameEnd)
    if (equalsAt === text.length) return 0
    if (text.charCodeAt(equalsAt) !== equals) throw new XmlError('malformed', 'An attribute has no value.')
    const quoteAt = skipSpace(text, equalsAt + 1)
    if (quoteAt === text.length) return 0
    const quote = text.charCodeAt(quoteAt)
    if (quote !== doubleQuote && quote !== singleQuote) {
      throw new XmlError('malformed', 'The value of an attribute is not in quotes.')
    }
    const valueEnd = text.indexOf(quote === doubleQuote ? '"' : "'", quoteAt + 1)
    if (valueEnd === -1) return 0
    if (valueEnd - quoteAt > maxAttributeCharacters) throw tooLongValue()
    if (!(name in attributes)) attributes[name] = this.#readValue(text, quoteAt + 1, valueEnd)
    return valueEnd + 1
  }

  #readValue(text: string, start: number, end: number): string {
    const value = text.slice(start, end)
    return value.includes('&') ? resolveReferences(value, this.#handler) : value
  }

  #readName(text: string, start: number, end: number): string {
    const length = end - start
    if (length === 0) throw new XmlError('malformed', 'A tag or an attribute has no name.')
    if (length > maxNameCharacters) throw tooLongName()
    if (length > maxInterned) return text.slice(start, end)
    const index = (length * 7 + text.charCodeAt(start) + text.charCodeAt(end - 1)) & 63
    const earlier = this.#names[index] ?? outOfRange()
    if (earlier.length === length && text.startsWith(earlier, start)) return earlier
    return (this.#names[index] = text.slice(start, end))
  }
}

function tooLongName(): XmlError {
  return new XmlError('too-large', `A name has more than ${maxNameCharacters} characters.`)
}

function tooLongValue(): XmlError {
  return new XmlError('too-large', `An attribute has more than ${maxAttributeCharacters} characters.`)
}
