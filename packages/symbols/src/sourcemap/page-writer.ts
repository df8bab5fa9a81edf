import { outOfRange, requireAt } from '@fairlead/invariant'
import { closeSync, openSync, writeSync } from 'node:fs'
import { columnsOfPage, pageHeadBytes, segmentsOfPage } from './format.ts'

/** Numbers of one segment as the format has them: generated line and column, source + 1, line, column, name + 1. */
export type Segment = readonly [number, number, number, number, number, number]

/** Writes a file from its start to its end. */
export class FileWriter implements Disposable {
  readonly #descriptor: number
  length = 0

  constructor(path: string) {
    this.#descriptor = openSync(path, 'wx')
  }

  write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) at += writeSync(this.#descriptor, bytes, at)
    this.length += bytes.length
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor)
  }
}

/** Packs segments, which come in the order of their generated position, into pages. */
export class PageWriter {
  readonly #file: FileWriter
  readonly #columns = Array.from({ length: columnsOfPage }, () => new Uint32Array(segmentsOfPage))
  #count = 0
  /** The last segment that was put in a page, and how many have its position. */
  #last: Segment = [-1, -1, 0, 0, 0, 0]
  #atPosition = 0
  /** A segment that says the same as the last one. It is needed only if another one follows at its position. */
  #repeated: Segment | undefined
  /** Rows of the directory. */
  readonly directory: number[] = []

  constructor(file: FileWriter) {
    this.#file = file
  }

  get pages(): number {
    return this.directory.length / 4
  }

  push(segment: Segment): void {
    const repeated = this.#repeated
    if (repeated) {
      this.#repeated = undefined
      if (isAtSamePosition(repeated, segment)) this.#add(repeated)
    }
    if (isAtSamePosition(this.#last, segment)) {
      if (this.#atPosition > 1) this.#replace(segment)
      else this.#add(segment)
      return
    }
    if (saysTheSame(this.#last, segment)) this.#repeated = segment
    else this.#add(segment)
  }

  /** Writes the page that is not full yet. What comes next belongs to another bundle. */
  flush(): void {
    this.#repeated = undefined
    this.#last = [-1, -1, 0, 0, 0, 0]
    this.#writePage()
  }

  #add(segment: Segment): void {
    // Two segments of one position stay in one page, so that the second one can be replaced.
    if (this.#count >= segmentsOfPage - 1 && !isAtSamePosition(this.#last, segment)) this.#writePage()
    this.#atPosition = isAtSamePosition(this.#last, segment) ? this.#atPosition + 1 : 1
    for (let place = 0; place < columnsOfPage; place++)
      this.#column(place)[this.#count] = segment[place] ?? outOfRange()
    this.#count++
    this.#last = segment
  }

  #replace(segment: Segment): void {
    for (let place = 0; place < columnsOfPage; place++) {
      this.#column(place)[this.#count - 1] = segment[place] ?? outOfRange()
    }
    this.#last = segment
  }

  #column(place: number): Uint32Array {
    return this.#columns[place] ?? outOfRange()
  }

  #writePage(): void {
    const count = this.#count
    if (count === 0) return
    this.#count = 0
    const [firstLine, firstColumn] = [requireAt(this.#column(0), 0), requireAt(this.#column(1), 0)]
    this.directory.push(firstLine, firstColumn, this.#file.length, count)
    const head = Buffer.alloc(pageHeadBytes)
    const packed = this.#columns.map((column, place) => {
      let least = 0xffffffff
      let most = 0
      for (let at = 0; at < count; at++) {
        const value = column[at] ?? outOfRange()
        if (value < least) least = value
        if (value > most) most = value
      }
      const width = toWidth(most - least)
      head.writeUInt8(width, place)
      head.writeUInt32LE(least, 8 + place * 4)
      return packColumn(column, count, least, width)
    })
    this.#file.write(Buffer.concat([head, ...packed]))
  }
}

function isAtSamePosition(one: Segment, other: Segment): boolean {
  return one[1] === other[1] && one[0] === other[0]
}

/** On a new line nothing is known, which a segment without a source says as well. */
function saysTheSame(before: Segment, after: Segment): boolean {
  if (before[0] !== after[0]) return after[2] === 0
  return before[4] === after[4] && before[3] === after[3] && before[2] === after[2] && before[5] === after[5]
}

function toWidth(range: number): 0 | 1 | 2 | 4 {
  if (range === 0) return 0
  return range < 2 ** 8 ? 1 : range < 2 ** 16 ? 2 : 4
}

function packColumn(column: Uint32Array, count: number, least: number, width: 0 | 1 | 2 | 4): Buffer {
  const bytes = Buffer.alloc(toPaddedBytes(count, width))
  for (let at = 0; at < count; at++) {
    const value = (column[at] ?? outOfRange()) - least
    if (width === 1) bytes[at] = value
    else if (width === 2) bytes.writeUInt16LE(value, at * 2)
    else if (width === 4) bytes.writeUInt32LE(value, at * 4)
  }
  return bytes
}

/** The bytes that a column takes in a page. */
export function toPaddedBytes(count: number, width: number): number {
  return Math.ceil((count * width) / 4) * 4
}
