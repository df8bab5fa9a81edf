import { KeptText } from '../text/kept-text.ts'

const marker = '[[ATTACHMENT|'
const maxPath = 16_384

/**
 * Collects the output of a case: its start and end, and the paths of all `[[ATTACHMENT|path]]` markers, including those
 * in the part that is left out.
 */
export class OutputText extends KeptText {
  readonly stream: 'out' | 'err'
  readonly attachments: string[] = []
  readonly #maxAttachments: number
  /** The end of the last piece, which may be the start of a marker. */
  #open = ''

  constructor(stream: 'out' | 'err', maxCharacters: number, maxAttachments: number) {
    super(maxCharacters, maxCharacters)
    this.stream = stream
    this.#maxAttachments = maxAttachments
  }

  override append(piece: string): void {
    super.append(piece)
    if (this.#open === '' && !piece.includes('[[') && !piece.endsWith('[')) return
    this.#scan(this.#open + piece)
  }

  #scan(text: string): void {
    let at = 0
    this.#open = ''
    for (let start = text.indexOf(marker); start !== -1; start = text.indexOf(marker, at)) {
      const from = start + marker.length
      const end = text.indexOf(']]', from)
      if (end === -1) {
        if (text.length - from <= maxPath) this.#open = text.slice(start)
        return
      }
      if (this.attachments.length < this.#maxAttachments && end - from <= maxPath) {
        this.attachments.push(text.slice(from, end))
      }
      at = end + 2
    }
    const last = text.indexOf('[[', Math.max(at, text.length - marker.length + 1))
    if (last !== -1) this.#open = text.slice(last)
    else if (text.endsWith('[')) this.#open = '['
  }
}
