import type { FrameSink, SourceFrame } from './block.ts'
import type { StringTable } from './string-table.ts'

/** Collects the frames of one answer. */
export class FrameList implements FrameSink {
  readonly frames: SourceFrame[] = []
  readonly #strings: StringTable

  constructor(strings: StringTable) {
    this.#strings = strings
  }

  take(name: number, file: number, line: number, column: number, inlined: boolean, artificial: boolean): void {
    // A call has a line even if its file has no name; code without a file has no line.
    const isCode = this.frames.length === 0 && file === 0
    this.frames.push({
      function: this.#strings.findName(name),
      file: this.#strings.find(file),
      line: isCode ? undefined : line,
      column: isCode ? undefined : column,
      inlined,
      artificial,
    })
  }
}
