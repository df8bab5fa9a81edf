/**
 * The fast path for the most frequent lines of a trace: a frame with a line number, whose class the mapping knows once
 * and whose line belongs to a single inline stack. It works on bytes and gives the same result as retrace-line.ts in a
 * fraction of the time and memory. All other lines go to retrace-line.ts.
 */
import type { ByteOutput } from '../bytes/byte-output.ts'
import { Span } from '../bytes/span.ts'
import type { TextRange } from '../bytes/text-range.ts'
import type { Mapping } from '../index/mapping.ts'
import type { ClassTable } from '../members/class-table.ts'
import type { FastMethodLine } from '../members/fast-method-line.ts'
import { SingleStack } from '../members/single-stack.ts'
import { appendSourceFile } from '../trace/source-file.ts'
import { FastFrameLine } from './fast-frame-line.ts'
import { FrameAnswerCache } from './frame-answer-cache.ts'

/**
 * Classes with more lines are left to retrace-line.ts, because finding a name in them is slow: its answers are cached,
 * and its work is counted.
 */
const maxLines = 4096

/** Answers are cached from this line on. Most traces are shorter, and the cache would cost more than it saves. */
const minLines = 1000

const dot = 0x2e

export class FastFrames {
  readonly #mapping: Mapping
  /** Created when the trace reaches `minLines`. */
  #answerCache: FrameAnswerCache | undefined
  #lineCount = 0
  readonly #line = new FastFrameLine()
  readonly #stack = new SingleStack()
  /** Original name and source file of the class that the frame names. The file may be empty. */
  readonly #owner = new Span()
  readonly #ownerFile = new Span()
  /** Class name and source file of a method, which may have been inlined from another class. */
  readonly #className = new Span()
  readonly #file = new Span()

  constructor(mapping: Mapping) {
    this.#mapping = mapping
  }

  /**
   * Appends the lines that replace the line of `bytes` from `start` to `end`, each with its newline, and returns how
   * many they are. Returns -1 and appends nothing if the fast path does not apply.
   */
  restore(bytes: Buffer, start: number, end: number, output: ByteOutput): number {
    // Every frame ends with a closing bracket.
    if (bytes[end - 1] !== 0x29) return -1
    if (++this.#lineCount === minLines) this.#answerCache = new FrameAnswerCache()
    const known = this.#answerCache?.append(bytes, start, end, output) ?? -1
    if (known !== -1) return known
    const before = output.length
    const count = this.#restore(bytes, start, end, output)
    if (count !== -1) this.#answerCache?.keep(bytes, start, end, output, before, count)
    return count
  }

  #restore(bytes: Buffer, start: number, end: number, output: ByteOutput): number {
    const line = this.#line
    const stack = this.#stack
    if (!line.read(bytes, start, end)) return -1
    const number = this.#mapping.findUniqueClass(line.classHash)
    if (number === -1) return -1
    const text = this.#mapping.readText(number)
    const table = this.#mapping.readTable(number, text)
    if (!table.hasNames || table.lineCount > maxLines || !this.#openOwner(text, table)) return -1
    const version = this.#mapping.versionOf(number)
    if (!stack.find(text, table, line.method, line.methodHash, line.line, version)) return -1
    const before = output.length
    // A method that the compiler generated is left out.
    const frames = stack.synthesized ? stack.length - 1 : stack.length
    for (let place = 0; place < stack.length; place++) {
      const method = stack.methods[place]
      if (method && !isAmbiguous(stack, method) && (place === frames || this.#writeFrame(number, method, output)))
        continue
      output.length = before
      return -1
    }
    return frames
  }

  /** Whether the class is the one that the line names, and not another one with the same hash. */
  #openOwner({ bytes, start }: TextRange, table: ClassTable): boolean {
    const { className } = this.#line
    if (!className.isEqual(bytes, start + table.obfuscatedStart, start + table.obfuscatedEnd)) return false
    this.#owner.set(bytes, start + table.originalStart, start + table.originalEnd)
    this.#ownerFile.set(bytes, start + table.fileStart, start + table.fileEnd)
    return true
  }

  /**
   * Appends the line of one method. Returns `false`, possibly after appending a part of it, if the fast path does not
   * apply.
   */
  #writeFrame(owner: number, method: FastMethodLine, output: ByteOutput): boolean {
    const { before, line } = this.#line
    const sourceLine = toSourceLine(this.#stack, method, line)
    if (sourceLine <= 0) return false
    const className = this.#className
    const { bytes } = this.#owner
    className.set(bytes, method.typeEnd + 1, method.nameEnd)
    const nameStart = className.findBehindLast(dot)
    if (nameStart === className.start) className.set(bytes, this.#owner.start, this.#owner.end)
    else className.set(bytes, className.start, nameStart - 1)
    output.append(before.bytes, before.start, before.end)
    output.append(bytes, className.start, className.end)
    output.appendByte(dot)
    output.append(bytes, nameStart, method.nameEnd)
    output.appendByte(0x28)
    if (!this.#writeFile(owner, output)) return false
    output.appendByte(0x3a)
    output.appendNumber(sourceLine)
    output.appendByte(0x29)
    output.appendByte(0x0a)
    return true
  }

  #writeFile(owner: number, output: ByteOutput): boolean {
    const file = this.#file
    const className = this.#className
    const own = this.#ownerFile
    if (own.end > own.start && className.isEqual(own.bytes, this.#owner.start, this.#owner.end)) {
      output.append(own.bytes, own.start, own.end)
      return true
    }
    if (!this.#mapping.findSourceFileFast(className, owner, file)) return false
    if (file.end > file.start) output.append(file.bytes, file.start, file.end)
    else appendSourceFile(className, this.#line.file, output)
    return true
  }
}

/** Whether a line of the obfuscated program stands for several lines of the source. */
function isAmbiguous(stack: SingleStack, { hasOriginal, isCardinal, from, to }: FastMethodLine): boolean {
  return hasOriginal && !isCardinal && from !== to && to - from !== stack.to - stack.from
}

function toSourceLine(stack: SingleStack, { hasOriginal, from, to }: FastMethodLine, line: number): number {
  if (!hasOriginal) return line
  return from === to ? from : from + line - stack.from
}
