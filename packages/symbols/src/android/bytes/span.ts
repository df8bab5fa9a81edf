import type { TextRange } from './text-range.ts'

/** A mutable range of bytes. Reusing one span for many lines creates no garbage. */
export class Span implements TextRange {
  bytes: Buffer = Buffer.alloc(0)
  start = 0
  end = 0

  set(bytes: Buffer, start: number, end: number): void {
    this.bytes = bytes
    this.start = start
    this.end = end
  }

  isEqual(bytes: Buffer, start: number, end: number): boolean {
    if (end - start !== this.end - this.start) return false
    const own = this.bytes
    if (bytes === own && start === this.start) return true
    for (let at = start, ownAt = this.start; at < end; at++, ownAt++) if (bytes[at] !== own[ownAt]) return false
    return true
  }

  /** The offset after the last byte that equals `value`; the start of the span if there is none. */
  findBehindLast(value: number): number {
    const { bytes, start } = this
    let at = this.end
    while (at > start && bytes[at - 1] !== value) at--
    return at
  }
}
