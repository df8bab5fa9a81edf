import { XmlError } from './xml-error.ts'

const maxTagCharacters = 16 * 1024 * 1024
const mark = /[>"']/g

/** Collects a tag that is cut into pieces, and looks for its end once in each. */
export class CutTag {
  readonly #parts: string[] = []
  #length = 0
  /** The quote around the attribute that is open at the end of the last piece. */
  #quote = ''

  /** Adds a piece from `at` on and returns the offset after the tag; -1 if the tag goes on. Throws XmlError. */
  add(text: string, at: number): number {
    const end = this.#findEnd(text, at)
    const part = text.slice(at, end === -1 ? text.length : end)
    this.#parts.push(part)
    this.#length += part.length
    if (this.#length <= maxTagCharacters) return end
    throw new XmlError('too-large', `A tag has more than ${maxTagCharacters} characters.`)
  }

  join(): string {
    return this.#parts.join('')
  }

  /** Returns the offset after the `>` that is outside of quotes. */
  #findEnd(text: string, at: number): number {
    for (let from = at; ;) {
      if (this.#quote !== '') {
        const close = text.indexOf(this.#quote, from)
        if (close === -1) return -1
        this.#quote = ''
        from = close + 1
      }
      mark.lastIndex = from
      const found = mark.exec(text)
      if (found === null) return -1
      from = found.index + 1
      if (found[0] === '>') return from
      this.#quote = found[0]
    }
  }
}
