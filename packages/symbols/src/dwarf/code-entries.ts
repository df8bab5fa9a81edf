/** The functions and inlined calls of a unit, in the order of the file, each with the address ranges that it covers. */

/** Initial capacity of a column, in numbers. */
const firstCapacity = 4096

/**
 * The entries as columns, which are used again for each unit. `nameEntry` is the entry, as an offset in .debug_info, at
 * which the search for the name begins: the entry itself or its origin. `parent` is the entry that a call was inlined
 * into; −1 for a function.
 */
export class CodeEntries {
  count = 0
  nameEntry = new Float64Array(firstCapacity)
  parent = new Int32Array(firstCapacity)
  callFile = new Uint32Array(firstCapacity)
  callLine = new Uint32Array(firstCapacity)
  callColumn = new Uint32Array(firstCapacity)
  /** 1 for code that the compiler made and that has no text in the source, by the attribute `artificial`. */
  artificial = new Uint8Array(firstCapacity)

  push(
    nameEntry: number,
    parent: number,
    callFile: number,
    callLine: number,
    callColumn: number,
    artificial: number,
  ): number {
    if (this.count === this.parent.length) this.#grow()
    const index = this.count++
    this.nameEntry[index] = nameEntry
    this.parent[index] = parent
    this.callFile[index] = callFile
    this.callLine[index] = callLine
    this.callColumn[index] = callColumn
    this.artificial[index] = artificial
    return index
  }

  #grow(): void {
    const { nameEntry, parent, callFile, callLine, callColumn, artificial } = this
    const capacity = this.count * 2
    this.nameEntry = new Float64Array(capacity)
    this.nameEntry.set(nameEntry)
    this.parent = new Int32Array(capacity)
    this.parent.set(parent)
    this.callFile = widen(callFile, capacity)
    this.callLine = widen(callLine, capacity)
    this.callColumn = widen(callColumn, capacity)
    this.artificial = new Uint8Array(capacity)
    this.artificial.set(artificial)
  }
}

/**
 * Address ranges [low, high) of entries as columns, which are used again for each unit. Offsets count from the image's
 * start.
 */
export class CodeRanges {
  count = 0
  low = new Uint32Array(firstCapacity)
  high = new Uint32Array(firstCapacity)
  entry = new Uint32Array(firstCapacity)

  push(low: number, high: number, entry: number): void {
    if (this.count === this.low.length) {
      const capacity = this.count * 2
      this.low = widen(this.low, capacity)
      this.high = widen(this.high, capacity)
      this.entry = widen(this.entry, capacity)
    }
    const index = this.count++
    this.low[index] = low
    this.high[index] = high
    this.entry[index] = entry
  }
}

function widen(values: Uint32Array, capacity: number): Uint32Array<ArrayBuffer> {
  const wider = new Uint32Array(capacity)
  wider.set(values)
  return wider
}
