/**
 * What a lookup file will hold, while it is gathered: segments of code with the place in the source that they come from, and the scopes they are in.
 */
import { SymbolsError } from '../symbols-error.ts'
import { type NamePlace, noName } from '../dwarf/name-place.ts'
import { OffsetMap } from '../dwarf/offset-map.ts'
import { Column } from './columns.ts'

const maxSegments = 64 * 1024 * 1024
const maxScopes = 64 * 1024 * 1024

/** From one start to the next. A scope of 0 and a file of 0 mean that there is none. */
export class Segments {
  readonly start = new Column()
  readonly scope = new Column()
  readonly file = new Column()
  readonly line = new Column()
  readonly column = new Column()

  get count(): number {
    return this.start.length
  }

  push(start: number, scope: number, file: number, line: number, column: number): void {
    if (this.count >= maxSegments) throw new SymbolsError('too-large', `It has more than ${maxSegments} places.`)
    this.start.push(start)
    this.scope.push(scope)
    this.file.push(file)
    this.line.push(line)
    this.column.push(column)
  }
}

/** Functions and inlined calls, numbered from 1. A call's parent is the scope it was inlined into, at its call file, line and column. */
export class Scopes {
  readonly name = new Column()
  readonly parent = new Column()
  readonly callFile = new Column()
  readonly callLine = new Column()
  readonly callColumn = new Column()

  constructor() {
    this.push(0, 0, 0, 0, 0)
  }

  push(name: number, parent: number, callFile: number, callLine: number, callColumn: number): number {
    if (this.name.length >= maxScopes) throw new SymbolsError('too-large', `It has more than ${maxScopes} functions.`)
    this.name.push(name)
    this.parent.push(parent)
    this.callFile.push(callFile)
    this.callLine.push(callLine)
    this.callColumn.push(callColumn)
    return this.name.length - 1
  }
}

/** Numbers names by their places, from 1; 0 is no name. */
export class NamePool {
  readonly places: NamePlace[] = [noName]
  readonly #ids = new OffsetMap()

  intern(place: NamePlace): number {
    if (place === noName) return 0
    const known = this.#ids.get(place)
    if (known !== undefined) return known
    const id = this.places.push(place) - 1
    this.#ids.set(place, id)
    return id
  }
}

/** Numbers paths, from 1; 0 is no path. */
export class PathPool {
  readonly paths: string[] = ['']
  readonly #ids = new Map<string, number>()

  intern(path: string): number {
    if (path === '') return 0
    const known = this.#ids.get(path)
    if (known !== undefined) return known
    const id = this.paths.push(path) - 1
    this.#ids.set(path, id)
    return id
  }
}
