/**
 * A streaming reader of XML 1.0 for documents from outside: test reports of hundreds of megabytes and property lists.
 * It takes text in pieces, of any size, and passes on elements and text as it finds them, so its memory does not grow
 * with the document.
 *
 * - Text arrives in pieces of at most 128 Ki characters, as does the content of CDATA sections. If the handler wants
 *   no text, none is copied.
 * - A document that breaks off is refused, as is one that is not well-formed: unmatched tags, a second root, text or a
 *   CDATA section outside of the root, a `&` without a reference, an attribute without quotes.
 * - Nothing that a document type (DTD) declares is expanded or loaded, so no document can grow or read a file
 *   (billion laughs, XXE). A reference to an entity other than XML's five stays text, and the handler is told.
 * - A reference by number to a character that XML forbids gives U+FFFD (the escape character gives itself, for
 *   terminal colours), and the handler is told. Such characters that are written out pass unchanged.
 * - Limits: the depth of elements, which the caller sets, 1,000 characters of a name, 1,000 attributes of a tag, 4 Mi
 *   characters of an attribute and 16 Mi of a tag.
 *
 * It is more lenient than the standard where test tools often fail and the meaning is clear: `<` in attributes, `--` in
 * comments, `]]>` in text, and two attributes of one name, of which the first counts. What stands in a document type is
 * skipped and not checked. Namespaces are not resolved; line ends, and white space in attributes, stay as they are.
 *
 * How it works: between two pieces it is in one of six states. Markup that a piece may cut is kept: at most a reference
 * or the start of `<![CDATA[`, which is put before the next piece, or the parts of a tag, which are joined when its end
 * is found. So each character is looked at a fixed number of times, wherever a document is cut.
 */
import { countLines } from './count-lines.ts'
import { CutTag } from './cut-tag.ts'
import { DoctypeSkipper } from './doctype-skipper.ts'
import { findCutReference, resolveReferences, type ReferenceHandler } from './references.ts'
import { type StartTag, StartTagReader } from './start-tag.ts'
import { XmlError } from './xml-error.ts'
import { skipSpace } from './xml-names.ts'

export interface XmlHandler extends ReferenceHandler {
  /** Receives the start of an element, by its name as it is written. */
  open(name: string, attributes: Record<string, string>): void
  close(name: string): void
  /** Whether the following text is needed. */
  isTextWanted(): boolean
  /** Receives text inside the root in pieces, CDATA sections included. */
  text(piece: string): void
}

const maxPieceCharacters = 128 * 1024
const cdataStart = '<![CDATA['
const commentStart = '<!--'
const doctypeStart = '<!DOCTYPE'
const [slash, question, exclamation, greater] = [0x2f, 0x3f, 0x21, 0x3e]

export class XmlReader {
  readonly #handler: XmlHandler
  readonly #maxDepth: number
  readonly #tags: StartTagReader
  /** The names of the open elements, outermost first. */
  readonly #open: string[] = []
  #state: 'content' | 'tag' | 'cdata' | 'comment' | 'instruction' | 'doctype' = 'content'
  #hasRoot = false
  #hasDoctype = false
  #isStopped = false
  /** The end of a piece, which is read again before the next one. It is short. */
  #rest = ''
  #cutTag = new CutTag()
  readonly #doctype = new DoctypeSkipper()
  /** The text that is being read, the position in it, and the number of line feeds before it. */
  #text = ''
  #at = 0
  #lines = 0
  /** The position of the first `&` after the one that was last searched for. */
  #reference = -1

  constructor(handler: XmlHandler, maxDepth: number) {
    this.#handler = handler
    this.#maxDepth = maxDepth
    this.#tags = new StartTagReader(handler)
  }

  /** The number of the current line, starting at 1. */
  get line(): number {
    return this.#lines + countLines(this.#text, this.#at) + 1
  }

  /** Reads on. Throws XmlError, and what the handler throws. */
  write(text: string): void {
    for (let at = 0; at < text.length && !this.#isStopped; at += maxPieceCharacters) {
      this.#withLine(() => this.#read(text.slice(at, at + maxPieceCharacters)))
    }
  }

  /** Ends the document. Throws XmlError `malformed` if it is incomplete. */
  end(): void {
    if (this.#isStopped) return
    this.#withLine(() => {
      const name = this.#open.at(-1)
      if (name !== undefined) throw new XmlError('malformed', `It breaks off inside <${name.slice(0, 100)}>.`)
      if (this.#state !== 'content' || this.#rest !== '')
        throw new XmlError('malformed', 'It breaks off inside markup.')
      if (!this.#hasRoot) throw new XmlError('malformed', 'It breaks off before its root element.')
    })
  }

  /** Ignores the rest of the document. The handler may call it. */
  stop(): void {
    this.#isStopped = true
  }

  #withLine(read: () => void): void {
    try {
      read()
    } catch (error) {
      if (error instanceof XmlError) error.line = this.line
      throw error
    }
  }

  #read(piece: string): void {
    const text = this.#rest === '' ? piece : this.#rest + piece
    this.#rest = ''
    this.#text = text
    this.#at = 0
    this.#reference = -1
    while (this.#at < text.length && !this.#isStopped) this.#at = this.#step(text, this.#at)
    this.#lines += countLines(text, text.length - this.#rest.length)
    this.#text = ''
    this.#at = 0
  }

  /** Reads a run of text or a piece of markup, and returns where the next one begins. */
  #step(text: string, at: number): number {
    const state = this.#state
    switch (state) {
      case 'content':
        return this.#readContent(text, at)
      case 'cdata':
        return this.#readCdata(text, at)
      case 'tag':
        return this.#continueTag(text, at)
      case 'doctype':
        return this.#readDoctype(text, at)
      case 'comment':
        return this.#skipPast('-->', text, at)
      case 'instruction':
        return this.#skipPast('?>', text, at)
      default:
        return state satisfies never
    }
  }

  #readContent(text: string, at: number): number {
    const found = text.indexOf('<', at)
    const end = found === -1 ? text.length : found
    if (end > at) return this.#readText(text, at, end)
    if (at + 1 === text.length) return this.#keep(text, at)
    switch (text.charCodeAt(at + 1)) {
      case slash:
        return this.#readEndTag(text, at)
      case exclamation:
        return this.#readDeclaration(text, at)
      case question:
        this.#state = 'instruction'
        return at + 2
      default:
        return this.#readStartTag(text, at)
    }
  }

  #readText(text: string, at: number, end: number): number {
    if (this.#open.length === 0) {
      if (skipSpace(text, at) < end) throw new XmlError('malformed', 'There is text outside of the root element.')
      return end
    }
    if (this.#findReference(text, at) >= end) {
      if (this.#handler.isTextWanted()) this.#handler.text(text.slice(at, end))
      return end
    }
    const run = text.slice(at, end)
    const whole = end === text.length ? findCutReference(run) : run.length
    const resolved = resolveReferences(run.slice(0, whole), this.#handler, (offset) => (this.#at = at + offset))
    if (resolved !== '' && this.#handler.isTextWanted()) this.#handler.text(resolved)
    return whole < run.length ? this.#keep(text, at + whole) : end
  }

  /** Returns the position of the next `&`. A piece is searched once, and not again for every run of text in it. */
  #findReference(text: string, at: number): number {
    if (this.#reference < at) {
      const found = text.indexOf('&', at)
      this.#reference = found === -1 ? text.length : found
    }
    return this.#reference
  }

  #readStartTag(text: string, at: number): number {
    const tag = this.#tags.read(text, at)
    if (tag === null) return this.#keepTag(text, at)
    this.#openElement(tag)
    return tag.end
  }

  #openElement({ name, attributes, isSelfClosing }: StartTag): void {
    const depth = this.#open.length + 1
    if (depth === 1 && this.#hasRoot) throw new XmlError('malformed', 'It has a second root element.')
    if (depth > this.#maxDepth) {
      throw new XmlError('too-large', `Its elements are nested deeper than ${this.#maxDepth}.`)
    }
    this.#hasRoot = true
    this.#handler.open(name, attributes)
    if (isSelfClosing) this.#handler.close(name)
    else this.#open.push(name)
  }

  #readEndTag(text: string, at: number): number {
    const name = this.#open.at(-1)
    const nameEnd = at + 2 + (name ?? '').length
    if (name !== undefined && text.startsWith(name, at + 2)) {
      const end = text.charCodeAt(nameEnd) === greater ? nameEnd : skipSpace(text, nameEnd)
      if (text.charCodeAt(end) === greater) {
        this.#open.pop()
        this.#handler.close(name)
        return end + 1
      }
    }
    const end = text.indexOf('>', at)
    if (end === -1) return this.#keepTag(text, at)
    const written = text.slice(at, Math.min(end, at + 100))
    const expected = name === undefined ? 'no element is open' : `the open element is <${name.slice(0, 100)}>`
    throw new XmlError('malformed', `${written}> closes nothing: ${expected}.`)
  }

  /** Keeps the start of a tag that the end of the piece cuts off. */
  #keepTag(text: string, at: number): number {
    this.#state = 'tag'
    this.#cutTag = new CutTag()
    this.#cutTag.add(text, at)
    return text.length
  }

  /** Looks for the end of a tag whose start was cut off, and reads the whole tag when it is found. */
  #continueTag(text: string, at: number): number {
    const end = this.#cutTag.add(text, at)
    if (end === -1) return text.length
    this.#state = 'content'
    const tag = this.#cutTag.join()
    const read = tag.charCodeAt(1) === slash ? this.#readEndTag(tag, 0) : this.#readStartTag(tag, 0)
    if (read !== tag.length) throw new XmlError('malformed', 'A tag has no end.')
    return end
  }

  /** Reads what begins with `<!`. */
  #readDeclaration(text: string, at: number): number {
    if (text.startsWith(commentStart, at)) {
      this.#state = 'comment'
      return at + commentStart.length
    }
    const isInRoot = this.#open.length > 0
    const start = text.slice(at, at + doctypeStart.length).toUpperCase()
    if (start === cdataStart && isInRoot) {
      this.#state = 'cdata'
      return at + cdataStart.length
    }
    if (start === doctypeStart && !this.#hasRoot && !this.#hasDoctype) {
      this.#state = 'doctype'
      this.#hasDoctype = true
      return at + doctypeStart.length
    }
    const isCut = at + start.length === text.length
    if (isCut && [commentStart, cdataStart, doctypeStart].some((whole) => whole.startsWith(start))) {
      return this.#keep(text, at)
    }
    throw new XmlError('malformed', `${start} is not where it belongs.`)
  }

  #readDoctype(text: string, at: number): number {
    const { end, next } = this.#doctype.skip(text, at)
    if (next === 'cut') return this.#keep(text, end)
    this.#state = next
    return end
  }

  #readCdata(text: string, at: number): number {
    const found = text.indexOf(']]>', at)
    const held = text.endsWith(']]') ? 2 : text.endsWith(']') ? 1 : 0
    const end = found === -1 ? Math.max(at, text.length - held) : found
    if (end > at && this.#handler.isTextWanted()) this.#handler.text(text.slice(at, end))
    if (found === -1) return this.#keep(text, end)
    this.#state = 'content'
    return end + 3
  }

  /** Skips a comment or a processing instruction, which may be inside a document type. */
  #skipPast(end: string, text: string, at: number): number {
    const found = text.indexOf(end, at)
    if (found === -1) return this.#keep(text, Math.max(at, text.length - end.length + 1))
    this.#state = this.#doctype.isInSubset ? 'doctype' : 'content'
    return found + end.length
  }

  /** Keeps the end of the text for the next piece. */
  #keep(text: string, at: number): number {
    this.#rest = text.slice(at)
    return text.length
  }
}
