import { BinaryError, type ByteSource, openFile } from '@fairlead/binary'
import { outOfRange } from '@fairlead/invariant'
import { SymbolsError } from '../symbols-error.ts'
import { FrameList } from './frame-list.ts'
import { FrameText } from './frame-text.ts'
import { orderByValue } from './order-by-value.ts'
import { upperBound } from '../sorted/search.ts'
import type { DartCode } from './code-image.ts'
import { type Block, decodeBlock, type SourceFrame } from './block.ts'
import { damaged } from './column-reader.ts'
import { architectureLength, formatVersion, headerLength, magic, noOffset } from './format.ts'
import { PartCache } from './part-cache.ts'
import { readIndex, readPart } from './parts.ts'
import { decodeStrings, type NameForm, type StringTable } from './string-table.ts'

export interface LookupOptions {
  /** Bytes of decoded parts that are kept. Default 64 MB. */
  cacheBytes?: number
  /**
   * The form of function names: `linkage` (the default) as the compiler wrote them, `full` and `short` as `demangle`
   * gives them.
   */
  names?: NameForm
}

/** The largest text buffer, in bytes, that is kept for the next answer. */
const maxSpareText = 32 * 1024 * 1024

/** An open lookup file. Its reads are synchronous, few and small. */
export interface Lookup extends Disposable {
  readonly uuid: string
  readonly architecture: string
  /** The address of __TEXT in the image's own address space: `address = textAddress + offset`. */
  readonly textAddress: number
  /** Whether the image is a Dart snapshot. Its names are not mangled, and some of its frames are not to be shown. */
  readonly isDart: boolean
  /** Where the code of a Dart snapshot begins, as offsets; undefined for other images. */
  readonly dart: DartCode
  /** The frames at an offset from the image's start, innermost first; empty if nothing is known. */
  findFrames(offset: number): SourceFrame[]
  /**
   * Answers many offsets, in their order. They are looked up in the order of addresses, so that each part of the file
   * is read and decoded once even with a small cache.
   */
  findFramesOf(offsets: readonly number[]): SourceFrame[][]
  /**
   * Answers many offsets with text in UTF-8, as llvm-symbolizer writes it: for each frame a line with the function and
   * one with `file:line:column`, and an empty line after each answer. Unknown parts are `??`. Each piece is valid until
   * the next one is asked for.
   */
  formatFramesOf(offsets: readonly number[]): Iterable<Buffer>
}

/**
 * Opens a lookup file with two reads. Throws `unreadable`, `malformed-lookup`, or `outdated-lookup` if the file has to
 * be built again.
 */
export function openLookup(path: string, options: LookupOptions = {}): Lookup {
  const source = open(path)
  try {
    return createLookup(source, options)
  } catch (error) {
    source[Symbol.dispose]()
    throw error
  }
}

function open(path: string): ByteSource {
  try {
    return openFile(path)
  } catch (cause) {
    throw new SymbolsError('unreadable', cause instanceof BinaryError ? cause.detail : '', { cause })
  }
}

function createLookup(source: ByteSource, options: LookupOptions): Lookup {
  const { cacheBytes = 64 * 1024 * 1024, names = 'linkage' } = options
  if (source.size < headerLength) throw damaged('It is shorter than its header.')
  const header = source.read(0, headerLength)
  if (!header.subarray(0, magic.length).equals(magic)) throw damaged('It does not start with its magic.')
  const version = header.readUInt32LE(8)
  if (version !== formatVersion) throw new SymbolsError('outdated-lookup', `It is of version ${version}.`)
  const index = readIndex(source, header)
  const dart: DartCode = { isolate: readOffset(header, 72), vm: readOffset(header, 76) }
  // The names of Dart are never mangled, though some begin as names of other languages do.
  const isDart = header.readUInt32LE(68) === 1 || dart.isolate !== undefined || dart.vm !== undefined
  const form = isDart ? 'linkage' : names
  const blocks = new PartCache<Block>(cacheBytes / 2)
  const regions = new PartCache<StringTable>(cacheBytes / 2)
  /** Passes the block of an offset and the strings of its region to `visit`; does not call it if there is no block. */
  const visit = (offset: number, take: (block: Block, strings: StringTable) => void): void => {
    if (!(offset >= 0 && offset <= 0xffffffff)) return
    const number = upperBound(index.starts, offset) - 1
    if (number < 0) return
    const region = index.regions[number] ?? outOfRange()
    const strings = regions.require(region, () => decodeStrings(readPart(source, index.strings[region]), form))
    const start = index.starts[number] ?? outOfRange()
    take(
      blocks.require(number, () => decodeBlock(readPart(source, index.blocks[number]), start)),
      strings,
    )
  }
  let spareText: FrameText | undefined
  const findFrames = (offset: number): SourceFrame[] => {
    let frames: SourceFrame[] = []
    visit(offset, (block, strings) => {
      const list = new FrameList(strings)
      block.visitFrames(offset, list)
      frames = list.frames
    })
    return frames
  }

  return {
    uuid: header
      .toString('hex', 16, 32)
      .toUpperCase()
      .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    architecture: header.toString('latin1', 32, 32 + architectureLength).replaceAll('\0', ''),
    textAddress: Number(header.readBigUInt64LE(48)),
    isDart,
    dart,
    findFrames,
    findFramesOf(offsets) {
      const answers: SourceFrame[][] = []
      for (const place of orderByValue(offsets)) answers[place] = findFrames(offsets[place] ?? outOfRange())
      return answers
    },
    *formatFramesOf(offsets) {
      // A caller may still be reading another answer, so this one takes the buffer for itself.
      const text = spareText ?? new FrameText()
      spareText = undefined
      const ranges = new Float64Array(offsets.length * 2)
      for (const place of orderByValue(offsets)) {
        ranges[place * 2] = text.length
        visit(offsets[place] ?? outOfRange(), (block, strings) => {
          text.enter(strings)
          block.visitFrames(offsets[place] ?? outOfRange(), text)
        })
        text.endAnswer()
        ranges[place * 2 + 1] = text.length
      }
      yield* arrange(text.view(), ranges)
      if (text.length > maxSpareText) return
      text.clear()
      spareText = text
    },
    [Symbol.dispose]: () => source[Symbol.dispose](),
  }
}

function readOffset(header: Buffer, at: number): number | undefined {
  const offset = header.readUInt32LE(at)
  return offset === noOffset ? undefined : offset
}

/** Gives the ranges of a text one after another, in pieces. */
function* arrange(text: Buffer, ranges: Float64Array): Generator<Buffer> {
  const piece = Buffer.allocUnsafeSlow(256 * 1024)
  let length = 0
  for (let at = 0; at < ranges.length; at += 2) {
    const [start, end] = [ranges[at] ?? outOfRange(), ranges[at + 1] ?? outOfRange()]
    if (length + end - start > piece.length) {
      yield piece.subarray(0, length)
      length = 0
    }
    if (end - start > piece.length) yield text.subarray(start, end)
    else length += text.copy(piece, length, start, end)
  }
  yield piece.subarray(0, length)
}
