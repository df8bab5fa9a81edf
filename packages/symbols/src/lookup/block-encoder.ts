import { outOfRange } from '@fairlead/invariant'
import { ByteWriter } from './byte-writer.ts'
import { segmentsPerBlock } from './format.ts'
import type { RegionStrings } from './region-strings.ts'
import type { Scopes } from './segments.ts'

/** Collects the segments of one block and encodes them as format.ts describes. It is used again for each block. */
export class BlockEncoder {
  readonly #scopes: Scopes
  readonly #strings: RegionStrings
  readonly #writer = new ByteWriter()
  /** For each scope: its number in the block that used it last, and that block's number. */
  #localScopes = new Uint32Array(0)
  #lastBlocks = new Uint32Array(0)
  #block = 1
  readonly #scopeColumns: ScopeColumns = [...createColumns(segmentsPerBlock), new Uint32Array(segmentsPerBlock)]
  #scopeCount = 0
  readonly #segmentColumns = createColumns(segmentsPerBlock)
  #segmentCount = 0
  #firstStart = 0
  #lastStart = 0

  constructor(scopes: Scopes, strings: RegionStrings) {
    this.#scopes = scopes
    this.#strings = strings
  }

  get firstStart(): number {
    return this.#firstStart
  }

  get isEmpty(): boolean {
    return this.#segmentCount === 0
  }

  get isFull(): boolean {
    return this.#segmentCount >= segmentsPerBlock
  }

  /** Adds a segment. Returns false if the block is full. */
  push(start: number, scope: number, file: number, line: number, column: number): void {
    if (this.isEmpty) this.#firstStart = this.#lastStart = start
    const index = this.#segmentCount++
    const [starts, scopes, files, lines, columns] = this.#segmentColumns
    starts[index] = start - this.#lastStart
    scopes[index] = this.#localScope(scope) + 1
    files[index] = this.#strings.toPath(file)
    lines[index] = line
    columns[index] = column
    this.#lastStart = start
  }

  /** Encodes the block and empties the encoder. The bytes are valid until the next call. */
  finish(): Buffer {
    const writer = this.#writer
    writer.clear()
    writer.word(this.#scopeCount)
    writer.word(this.#segmentCount)
    for (const column of this.#scopeColumns) writer.column(column, this.#scopeCount)
    const [starts, ...others] = this.#segmentColumns
    writer.columnOfWidth(starts, this.#segmentCount, this.#lastStart - this.#firstStart <= 0xffff ? 2 : 4)
    for (const column of others) writer.column(column, this.#segmentCount)
    this.#block++
    this.#scopeCount = 0
    this.#segmentCount = 0
    return writer.view()
  }

  /** The number of a scope in this block; −1 for none. Parents are numbered before their children. */
  #localScope(scope: number): number {
    if (scope === 0) return -1
    if (scope >= this.#localScopes.length) this.#widen()
    if (this.#lastBlocks[scope] === this.#block) return this.#localScopes[scope] ?? outOfRange()
    const all = this.#scopes
    const parent = this.#localScope(all.parent[scope] ?? outOfRange())
    const local = this.#scopeCount++
    if (local === this.#scopeColumns[0].length) widenColumns(this.#scopeColumns)
    const [names, parents, files, lines, columns, artificial] = this.#scopeColumns
    names[local] = this.#strings.toName(all.name[scope] ?? outOfRange())
    parents[local] = parent < 0 ? 0 : local - parent
    files[local] = this.#strings.toPath(all.callFile[scope] ?? outOfRange())
    lines[local] = all.callLine[scope] ?? outOfRange()
    columns[local] = all.callColumn[scope] ?? outOfRange()
    artificial[local] = all.artificial[scope] ?? outOfRange()
    this.#localScopes[scope] = local
    this.#lastBlocks[scope] = this.#block
    return local
  }

  #widen(): void {
    const capacity = Math.ceil(this.#scopes.count * 1.25)
    const [local, last] = [this.#localScopes, this.#lastBlocks]
    this.#localScopes = new Uint32Array(capacity)
    this.#localScopes.set(local)
    this.#lastBlocks = new Uint32Array(capacity)
    this.#lastBlocks.set(last)
  }
}

type Columns = [Uint32Array, Uint32Array, Uint32Array, Uint32Array, Uint32Array]
type ScopeColumns = [...Columns, Uint32Array]

function createColumns(length: number): Columns {
  const create = () => new Uint32Array(length)
  return [create(), create(), create(), create(), create()]
}

function widenColumns(columns: ScopeColumns): void {
  for (const [index, column] of columns.entries()) {
    const wider = new Uint32Array(column.length * 2)
    wider.set(column)
    columns[index] = wider
  }
}
