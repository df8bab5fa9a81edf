const mark = /[[\]<>"']/g
const commentStart = '<!--'

/**
 * What stands at the end of the part that was skipped: more of the document type, the content after it, a comment or
 * a processing instruction inside of it, or markup that the end of the piece cuts.
 */
type Next = 'doctype' | 'content' | 'comment' | 'instruction' | 'cut'

/** Skips a document type (DTD), which ends at the first `>` outside of quotes and of its `[…]`. */
export class DoctypeSkipper {
  /** Whether the reader is between `[` and `]`, where declarations, comments and instructions stand. */
  isInSubset = false
  /** The quote around the open literal, or an empty text outside of literals. */
  #quote = ''

  /** Skips from a position up to the next mark that matters. */
  skip(text: string, at: number): { end: number; next: Next } {
    if (this.#quote !== '') {
      const close = text.indexOf(this.#quote, at)
      if (close === -1) return { end: text.length, next: 'doctype' }
      this.#quote = ''
      return { end: close + 1, next: 'doctype' }
    }
    mark.lastIndex = at
    const found = mark.exec(text)
    if (found === null) return { end: text.length, next: 'doctype' }
    const end = found.index + 1
    switch (found[0]) {
      case '[':
        this.isInSubset = true
        return { end, next: 'doctype' }
      case ']':
        this.isInSubset = false
        return { end, next: 'doctype' }
      case '>':
        return { end, next: this.isInSubset ? 'doctype' : 'content' }
      case '<':
        return this.isInSubset ? skipInSubset(text, found.index) : { end, next: 'doctype' }
      default:
        this.#quote = found[0]
        return { end, next: 'doctype' }
    }
  }
}

/** Reads the `<` of a declaration, a comment or a processing instruction inside of `[…]`. */
function skipInSubset(text: string, at: number): { end: number; next: Next } {
  if (text.length - at < commentStart.length) return { end: at, next: 'cut' }
  if (text.startsWith(commentStart, at)) return { end: at + commentStart.length, next: 'comment' }
  if (text.startsWith('<?', at)) return { end: at + 2, next: 'instruction' }
  return { end: at + 1, next: 'doctype' }
}
