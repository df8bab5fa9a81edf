import type { FrameSink } from './block.ts'
import { ByteWriter } from './byte-writer.ts'
import type { StringTable } from './string-table.ts'

const unknown = Buffer.from('??')
const newline = 0x0a
const colon = 0x3a

/**
 * Writes frames as llvm-symbolizer does: one line with the function, one with `file:line:column`, and an empty line
 * after each answer.
 */
export class FrameText implements FrameSink {
  readonly #writer = new ByteWriter()
  #strings: StringTable | undefined

  get length(): number {
    return this.#writer.length
  }

  /** Sets the string table of the frames that follow. */
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

  /** The written bytes, valid until more is written. */
  view(): Buffer {
    return this.#writer.view()
  }

  clear(): void {
    this.#writer.clear()
  }
}
