import type { FrameSink } from './block.ts'
import { ByteWriter } from './byte-writer.ts'
import type { StringTable } from './string-table.ts'

const unknown = Buffer.from('??')
const newline = 0x0a
const colon = 0x3a

/** Writes frames as llvm-symbolizer does: a line with the function, one with `file:line:column`, and an empty one after each answer. */
export class FrameText implements FrameSink {
  readonly #writer = new ByteWriter()
  #strings: StringTable | undefined

  get length(): number {
    return this.#writer.length
  }

  /** The strings of the frames that come. */
  enter(strings: StringTable): void {
    this.#strings = strings
  }

  take(name: number, file: number, line: number, column: number): void {
    const writer = this.#writer
    if (name === 0) writer.append(unknown)
    else this.#strings?.appendName(name, writer)
    writer.byte(newline)
    if (file === 0) writer.append(unknown)
    else this.#strings?.append(file, writer)
    writer.byte(colon)
    writer.digits(line)
    writer.byte(colon)
    writer.digits(column)
    writer.byte(newline)
  }

  endAnswer(): void {
    this.#writer.byte(newline)
  }

  /** What was written, good until more is. */
  view(): Buffer {
    return this.#writer.view()
  }

  clear(): void {
    this.#writer.clear()
  }
}
