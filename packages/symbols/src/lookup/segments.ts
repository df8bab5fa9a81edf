/**
 * The content of a lookup file while it is collected: segments of code with their place in the source, and the scopes
 * that they are in.
 */
import { outOfRange } from '@fairlead/invariant'
import { SymbolsError } from '../symbols-error.ts'
import { type NamePlace, noName, splitPlace } from '../dwarf/name-place.ts'
import { OffsetMap } from '../dwarf/offset-map.ts'

const maxSegments = 64 * 1024 * 1024
const maxScopes = 64 * 1024 * 1024
const firstCapacity = 65_536

/**
 * The expected number of segments. A number that is too high costs nothing, because untouched memory is not allocated
 * by the system.
 */
function toCapacity(expected: number): number {
  return Math.min(8 * 1024 * 1024, Math.max(firstCapacity, Math.ceil(expected)))
}

/** A segment goes from its start to the next one's. A scope or a file of 0 means that there is none. */
export class Segments {
  count = 0
  start: Uint32Array
  scope: Uint32Array
  file: Uint32Array
  line: Uint32Array
  column: Uint16Array

  constructor(expected = 0) {
    const capacity = toCapacity(expected)
    this.start = new Uint32Array(capacity)
    this.scope = new Uint32Array(capacity)
    this.file = new Uint32Array(capacity)
    this.line = new Uint32Array(capacity)
    this.column = new Uint16Array(capacity)
  }

  push(start: number, scope: number, file: number, line: number, column: number): void {
    if (this.count === this.start.length) this.#grow()
    const index = this.count++
    this.start[index] = start
    this.scope[index] = scope
    this.file[index] = file
    this.line[index] = line
    this.column[index] = column
  }

  #grow(): void {
    if (this.count >= maxSegments) throw new SymbolsError('too-large', `It has more than ${maxSegments} places.`)
    const capacity = Math.ceil(this.count * 1.5)
    this.start = widen(this.start, capacity)
    this.scope = widen(this.scope, capacity)
    this.file = widen(this.file, capacity)
    this.line = widen(this.line, capacity)
    const wider = new Uint16Array(capacity)
    wider.set(this.column)
    this.column = wider
  }
}

/**
 * Functions and inlined calls, numbered from 1. The parent of a call is the scope that it was inlined into, at its call
 * file, line and column.
 */
export class Scopes {
  /** One more than the highest number in use. */
  count = 1
  name: Uint32Array
  parent: Uint32Array
  callFile: Uint32Array
  callLine: Uint32Array
  callColumn: Uint32Array
  /** 1 for a function that the compiler made, which has no text in the source. */
  artificial: Uint8Array

  constructor(expected = 0) {
    const capacity = toCapacity(expected)
    this.name = new Uint32Array(capacity)
    this.parent = new Uint32Array(capacity)
    this.callFile = new Uint32Array(capacity)
    this.callLine = new Uint32Array(capacity)
    this.callColumn = new Uint32Array(capacity)
    this.artificial = new Uint8Array(capacity)
  }

  push(name: number, parent: number, callFile: number, callLine: number, callColumn: number, artificial = 0): number {
    if (this.count === this.name.length) this.#grow()
    const scope = this.count++
    this.name[scope] = name
    this.parent[scope] = parent
    this.callFile[scope] = callFile
    this.callLine[scope] = callLine
    this.callColumn[scope] = callColumn
    this.artificial[scope] = artificial
    return scope
  }

  #grow(): void {
    if (this.count >= maxScopes) throw new SymbolsError('too-large', `It has more than ${maxScopes} functions.`)
    const capacity = Math.ceil(this.count * 1.5)
    this.name = widen(this.name, capacity)
    this.parent = widen(this.parent, capacity)
    this.callFile = widen(this.callFile, capacity)
    this.callLine = widen(this.callLine, capacity)
    this.callColumn = widen(this.callColumn, capacity)
    const wider = new Uint8Array(capacity)
    wider.set(this.artificial)
    this.artificial = wider
  }
}

function widen(values: Uint32Array, capacity: number): Uint32Array<ArrayBuffer> {
  const wider = new Uint32Array(capacity)
  wider.set(values)
  return wider
}

/** Gives names numbers by their places, from 1; 0 means no name. */
export class NamePool {
  readonly places: NamePlace[] = [noName]
  /** One map for each section. */
  readonly #ids = [new OffsetMap(), new OffsetMap(), new OffsetMap(), new OffsetMap(), new OffsetMap()]

  intern(place: NamePlace): number {
    if (place === noName) return 0
    const { section, offset } = splitPlace(place)
    const ids = this.#ids[section] ?? outOfRange()
    const existing = ids.get(offset)
    if (existing !== undefined) return existing
    const id = this.places.push(place) - 1
    ids.set(offset, id)
    return id
  }
}

/** Gives paths numbers from 1; 0 means no path. */
export class PathPool {
  readonly paths: string[] = ['']
  readonly #ids = new Map<string, number>()

  intern(path: string): number {
    if (path === '') return 0
    const existing = this.#ids.get(path)
    if (existing !== undefined) return existing
    const id = this.paths.push(path) - 1
    this.#ids.set(path, id)
    return id
  }
}
