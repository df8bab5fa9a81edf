import { ByteWriter } from './byte-writer.ts'
import { segmentsPerBlock, stringBytesPerBlock } from './format.ts'
import type { Scopes } from './segments.ts'

/** What the strings of a block are read from, by their numbers in the whole image. */
export interface Strings {
  readName(id: number): Uint8Array
  readPath(id: number): Uint8Array
}

/** One block while it is filled; see format.ts for what it becomes. Used again for each block. */
export class BlockEncoder {
  readonly #scopes: Scopes
  readonly #strings: Strings
  readonly #writer = new ByteWriter()
  readonly #names = new Map<number, number>()
  readonly #paths = new Map<number, number>()
  /** For each scope, its number in the block that it was last in, and which block that was. */
  #localScopes = new Uint32Array(0)
  #lastBlocks = new Uint32Array(0)
  #block = 1
  #texts: Uint8Array[] = []
  #textBytes = 0
  #scopeColumns: number[][] = [[], [], [], [], []]
  #segmentColumns: number[][] = [[], [], [], [], []]
  #firstStart = 0
  #lastStart = 0
  #lastLine = 0

  constructor(scopes: Scopes, strings: Strings) {
    this.#scopes = scopes
    this.#strings = strings
  }

  get firstStart(): number {
    return this.#firstStart
  }

  get isEmpty(): boolean {
    return (this.#segmentColumns[0] as number[]).length === 0
  }

  get isFull(): boolean {
    return (this.#segmentColumns[0] as number[]).length >= segmentsPerBlock || this.#textBytes >= stringBytesPerBlock
  }

  push(start: number, scope: number, file: number, line: number, column: number): void {
    if (this.isEmpty) this.#firstStart = this.#lastStart = start
    const [starts, scopes, files, lines, columns] = this.#segmentColumns as [
      number[],
      number[],
      number[],
      number[],
      number[],
    ]
    starts.push(start - this.#lastStart)
    scopes.push(this.#localScope(scope) + 1)
    files.push(this.#path(file))
    lines.push(zigzag(line - this.#lastLine))
    columns.push(column)
    this.#lastStart = start
    this.#lastLine = line
  }

  /** The block's bytes; the encoder is empty again. */
  finish(): Buffer {
    const writer = this.#writer
    writer.clear()
    writer.uleb(this.#texts.length)
    writer.uleb((this.#scopeColumns[0] as number[]).length)
    writer.uleb((this.#segmentColumns[0] as number[]).length)
    for (const text of this.#texts) writer.uleb(text.length)
    for (const text of this.#texts) writer.append(text)
    for (const column of this.#scopeColumns) for (const value of column) writer.uleb(value)
    for (const column of this.#segmentColumns) for (const value of column) writer.uleb(value)
    this.#clear()
    return writer.copy()
  }

  /** The number of a scope in this block, −1 for none; its parents come before it. */
  #localScope(scope: number): number {
    if (scope === 0) return -1
    if (scope >= this.#localScopes.length) this.#widen()
    if (this.#lastBlocks[scope] === this.#block) return this.#localScopes[scope] as number
    const all = this.#scopes
    const parent = this.#localScope(all.parent[scope] as number)
    const [names, parents, files, lines, columns] = this.#scopeColumns as [
      number[],
      number[],
      number[],
      number[],
      number[],
    ]
    const local = names.length
    names.push(this.#name(all.name[scope] as number))
    parents.push(parent < 0 ? 0 : local - parent)
    files.push(this.#path(all.callFile[scope] as number))
    lines.push(all.callLine[scope] as number)
    columns.push(all.callColumn[scope] as number)
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

  #name(id: number): number {
    return this.#string(this.#names, id, () => this.#strings.readName(id))
  }

  #path(id: number): number {
    return this.#string(this.#paths, id, () => this.#strings.readPath(id))
  }

  #string(known: Map<number, number>, id: number, read: () => Uint8Array): number {
    if (id === 0) return 0
    const found = known.get(id)
    if (found !== undefined) return found
    const text = read()
    this.#textBytes += text.length
    const local = text.length === 0 ? 0 : this.#texts.push(text)
    known.set(id, local)
    return local
  }

  #clear(): void {
    this.#names.clear()
    this.#paths.clear()
    this.#block++
    this.#texts = []
    this.#textBytes = 0
    for (const column of this.#scopeColumns) column.length = 0
    for (const column of this.#segmentColumns) column.length = 0
    this.#lastLine = 0
  }
}

function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value
}
