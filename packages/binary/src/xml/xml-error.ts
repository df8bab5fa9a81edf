/**
 * Why a document is refused. `malformed`: it is not well-formed XML. `too-large`: it is nested too deeply, or a tag, a
 * name or an attribute is too long.
 */
export class XmlError extends Error {
  override readonly name = 'XmlError'
  readonly code: 'malformed' | 'too-large'
  /** The line where reading stopped, starting at 1; the reader sets it. */
  line = 0

  constructor(code: 'malformed' | 'too-large', message: string) {
    super(message)
    this.code = code
  }
}
