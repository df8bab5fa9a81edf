/**
 * Reads XML of any size in pieces with sax 1.6.1, and works around its faults:
 * - sax is slow, because it examines each character. While its state is TEXT, this reader handles texts, CDATA sections
 *   and plain tags itself and updates the stack of open tags of sax. Everything else is left to sax.
 * - The entity table of sax inherits from Object.prototype, and sax treats a reference to a forbidden character
 *   (`&#27;`) as an error. This reader replaces the table: a reference by number gives its character, or U+FFFD if that
 *   is forbidden. A name other than XML's five gives nothing; the error is cleared and the reference stays text.
 * - sax accepts a second root element, which this reader refuses.
 * - sax limits an attribute to 64 KiB by a setting of the whole module.
 * DTDs are skipped: nothing that they declare is expanded or loaded.
 */
import sax from 'sax'
import { ReportsError } from '../reports-error.ts'
import { decodeText, type PlainTag, scanEndTag, scanTag } from './scan-tag.ts'

const maxAttributeCharacters = 4 * 1024 * 1024
const maxTagCharacters = 16 * 1024 * 1024
const fiveEntities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const noAttributes = {}
const cdataStart = '<![CDATA['
/** The state of sax's parser in which it reads text. */
const textState = (sax as unknown as { STATE: { TEXT: number } }).STATE.TEXT

export interface XmlHandler {
  open(name: string, attributes: Record<string, string>): void
  close(name: string): void
  /** Whether the following text is needed. */
  isTextWanted(): boolean
  /** Receives text in pieces, including CDATA sections. */
  text(piece: string): void
  /** Receives a reference to an entity other than XML's five, which stays text. */
  entity(name: string): void
  /** Called for a reference to a character that XML forbids. */
  forbidden(): void
}

/** The parts of sax's parser that its type declarations omit. */
type Parser = sax.SAXParser & { state: number; entity: string; ENTITIES: object; tags: sax.Tag[] }

export class XmlReader {
  readonly #parser: Parser
  readonly #handler: XmlHandler
  readonly #maxDepth: number
  #depth = 0
  #hasRoot = false
  #isInCdata = false
  /** The end of a chunk, which may be the start of `<![CDATA[` or `]]>`. */
  #rest = ''
  #markup = 0
  /** The text that is being read, the position in it, and the number of lines before it. */
  #text = ''
  #at = 0
  #lines = 0
  /** The position of the first `&` of the text after the last one that was searched for. */
  #reference = -1

  constructor(handler: XmlHandler, maxDepth: number) {
    this.#handler = handler
    this.#maxDepth = maxDepth
    Object.assign(sax, { MAX_BUFFER_LENGTH: maxAttributeCharacters })
    // The casts add members that the pinned version of sax has but its type declarations omit.
    const parser = sax.parser(true, { strictEntities: true, position: true } as sax.SAXOptions) as Parser
    this.#parser = parser
    parser.ENTITIES = new Proxy({}, { get: (_, name) => this.#resolve(String(name)) })
    Object.assign(parser, {
      onopentag: (tag: sax.Tag) => this.#open(tag.name, tag.attributes),
      onclosetag: (name: string) => {
        this.#depth--
        handler.close(localName(name))
      },
      ontext: (text: string) => handler.text(text),
      // Text inside the root bypasses the parser.
      onopencdata: () => this.#fail(new Error('CDATA section outside of the root element')),
      onerror: (error: Error) => this.#fail(error),
    })
  }

  /** The number of the current line, starting at 1. */
  get line(): number {
    return this.#lines + countLines(this.#text, this.#at) + 1
  }

  get hasRoot(): boolean {
    return this.#hasRoot
  }

  write(piece: string): void {
    this.#text = this.#rest === '' ? piece : this.#rest + piece
    this.#rest = ''
    this.#at = 0
    this.#reference = -1
    const text = this.#text
    while (this.#at < text.length) this.#at = this.#step(text, this.#at)
    this.#lines += countLines(text, text.length - this.#rest.length)
    this.#text = ''
    this.#at = 0
  }

  /** Ends the document. Throws ReportsError `malformed` if it is incomplete. */
  end(): void {
    if (this.#isInCdata) throw this.#fault('It breaks off inside a CDATA section.')
    const rest = this.#rest
    this.#rest = ''
    if (rest !== '') this.#parser.write(rest)
    if (!this.#hasRoot) throw this.#fault('It has no root element.')
    this.#parser.close()
  }

  /** Reads a run of text, a CDATA section or a piece of markup, and returns where the next one begins. */
  #step(text: string, at: number): number {
    if (this.#isInCdata) return this.#copyCdata(text, at)
    const parser = this.#parser
    if (parser.state === textState && this.#depth > 0) {
      const next = text.indexOf('<', at)
      const end = next === -1 ? text.length : next
      if (end > at) {
        this.#copyText(text, at, end)
        return end
      }
      const afterTag = this.#readTag(text, at)
      if (afterTag !== 0) return afterTag
      if (text.startsWith(cdataStart, at)) {
        this.#isInCdata = true
        return at + cdataStart.length
      }
      if (text.length - at < cdataStart.length && cdataStart.startsWith(text.slice(at))) return this.#keep(text, at)
    }
    const end = text.indexOf('>', at) + 1
    const markup = text.slice(at, end === 0 ? text.length : end)
    parser.write(markup)
    this.#markup = parser.state === textState ? 0 : this.#markup + markup.length
    if (this.#markup > maxTagCharacters) throw this.#tooLarge(`A tag or a comment has more than 16 Mi characters.`)
    return at + markup.length
  }

  /**
   * Reads a plain tag without the parser and returns where the text after it begins. Returns 0 for a tag that the
   * parser has to read: the end of the root, and malformed or unusual tags.
   */
  #readTag(text: string, at: number): number {
    const { tags } = this.#parser
    const current = tags.at(-1)
    if (tags.length > 1 && current !== undefined) {
      const end = scanEndTag(text, at, current.name)
      if (end !== 0) {
        tags.pop()
        this.#depth--
        this.#handler.close(localName(current.name))
        return end
      }
    }
    const tag = scanTag(text, at)
    if (tag === null) return 0
    this.#take(tag)
    return tag.end
  }

  #take({ name, attributes, isSelfClosing }: PlainTag): void {
    this.#open(name, attributes)
    if (isSelfClosing) {
      this.#depth--
      this.#handler.close(localName(name))
    } else this.#parser.tags.push({ name, attributes: noAttributes, isSelfClosing: false })
  }

  #copyText(text: string, at: number, end: number): void {
    if (this.#findReference(text, at) >= end) {
      if (this.#handler.isTextWanted()) this.#handler.text(text.slice(at, end))
      return
    }
    const piece = text.slice(at, end)
    // A reference that the end of the piece cuts off is left to the parser, which keeps its start.
    const decoded = decodeText(piece)
    if (decoded === null) {
      this.#parser.write(piece)
      this.#parser.flush()
    } else if (this.#handler.isTextWanted()) this.#handler.text(decoded)
  }

  /** Returns the position of the next `&`. The text is searched once, and not again for every run of text in it. */
  #findReference(text: string, at: number): number {
    if (this.#reference < at) {
      const found = text.indexOf('&', at)
      this.#reference = found === -1 ? text.length : found
    }
    return this.#reference
  }

  #copyCdata(text: string, at: number): number {
    const end = text.indexOf(']]>', at)
    if (end === -1) {
      const held = text.endsWith(']]') ? 2 : text.endsWith(']') ? 1 : 0
      const stop = Math.max(at, text.length - held)
      this.#emitCdata(text.slice(at, stop))
      return this.#keep(text, stop)
    }
    this.#emitCdata(text.slice(at, end))
    this.#isInCdata = false
    return end + 3
  }

  #emitCdata(text: string): void {
    if (text !== '' && this.#handler.isTextWanted()) this.#handler.text(text)
  }

  #keep(text: string, at: number): number {
    this.#rest = text.slice(at)
    return text.length
  }

  #open(name: string, attributes: Record<string, string>): void {
    if (this.#depth === 0 && this.#hasRoot) throw this.#fault('It has a second root element.')
    this.#hasRoot = true
    this.#depth++
    if (this.#depth > this.#maxDepth) throw this.#tooLarge(`Its elements are nested deeper than ${this.#maxDepth}.`)
    this.#handler.open(localName(name), attributes)
  }

  /** Returns the text of a reference; undefined leaves the reference as it is. */
  #resolve(name: string): string | undefined {
    if (Object.hasOwn(fiveEntities, name)) return this.#parser.entity === name ? fiveEntities[name] : undefined
    const [, hexadecimal, decimal] = /^#(?:x([0-9a-f]+)|(\d+))$/i.exec(name) ?? []
    if (hexadecimal === undefined && decimal === undefined) return undefined
    const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16)
    const isSurrogate = code >= 0xd800 && code <= 0xdfff
    if (code <= 0x10ffff && !isSurrogate && (code >= 0x20 || [9, 10, 13].includes(code)) && (code & ~1) !== 0xfffe) {
      return String.fromCodePoint(code)
    }
    this.#handler.forbidden()
    return code === 0x1b ? '\u001b' : '\ufffd'
  }

  #fail(error: Error): void {
    const [reason = ''] = error.message.split('\n')
    if (reason === 'Invalid character entity') {
      this.#handler.entity(this.#parser.entity)
      this.#parser.resume()
      return
    }
    throw reason.startsWith('Max buffer length') ? this.#tooLarge(`${reason}.`) : this.#fault(`${reason}.`)
  }

  #fault(detail: string): ReportsError {
    return new ReportsError('malformed', `It is not well-formed XML: ${detail}`, { line: this.line })
  }

  #tooLarge(detail: string): ReportsError {
    return new ReportsError('too-large', detail, { line: this.line })
  }
}

function localName(name: string): string {
  const colon = name.indexOf(':')
  return colon === -1 ? name : name.slice(colon + 1)
}

/** Counts the line feeds before `end`. */
function countLines(text: string, end: number): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) count++
  return count
}
