/**
 * Function maps of Metro: for each source, the functions in it by where they begin. `x_facebook_sources` holds a list
 * for each source, whose first element is `{names, mappings}`. A group of the mappings is the difference of the column,
 * which begins anew with each semicolon, of the name and of the line.
 */
import { outOfRange } from '@fairlead/invariant'
import { SymbolsError } from '../symbols-error.ts'
import type { ByteWindow } from './byte-window.ts'
import { isArray, isObject, isString, type JsonRange, listElements, listMembers } from './json-scanner.ts'
import { maxFunctionEntries } from './limits.ts'
import type { StringRange } from './string-pool.ts'
import { readVlq } from './vlq.ts'

/** The entries of all sources, as rows of the format. */
export class FunctionTable {
  #rows = new Uint32Array(3 * 1024)
  count = 0

  rows(): Uint32Array {
    return this.#rows.subarray(0, this.count * 3)
  }

  /** Adds the function map of one source. `addStrings` adds a list of names. */
  add(window: ByteWindow, range: JsonRange, addStrings: (names: JsonRange) => StringRange): void {
    const found = findFunctionMap(window, range)
    if (!found) return
    const names = addStrings(found.names)
    const first = this.count
    let [line, column, name, isSorted] = [1, 0, 0, true]
    readVlq(window, found.mappings.start + 1, found.mappings.end - 1, {
      group: (fields, count) => {
        column += fields[0] ?? outOfRange()
        if (count > 1) name += fields[1] ?? outOfRange()
        if (count > 2) line += fields[2] ?? outOfRange()
        if (line < 0 || column < 0 || line > 0xffffffff || column > 0xffffffff) return true
        isSorted &&= this.count === first || !isBefore(line, column, this.#rows, this.count - 1)
        this.#push(line, column, name >= 0 && name < names.count ? names.first + name + 1 : 0)
        return true
      },
      line: () => {
        column = 0
        return true
      },
    })
    if (!isSorted) this.#sort(first)
  }

  #push(line: number, column: number, name: number): void {
    if (this.count >= maxFunctionEntries) {
      throw new SymbolsError('too-large', `Its function maps have over ${maxFunctionEntries} entries.`)
    }
    if ((this.count + 1) * 3 > this.#rows.length) {
      const wider = new Uint32Array(this.#rows.length * 2)
      wider.set(this.#rows)
      this.#rows = wider
    }
    this.#rows.set([line, column, name], this.count * 3)
    this.count++
  }

  #sort(first: number): void {
    const rows = Array.from({ length: this.count - first }, (_, at) =>
      this.#rows.slice((first + at) * 3, (first + at + 1) * 3),
    )
    rows.sort(
      (a, b) => (a[0] ?? outOfRange()) - (b[0] ?? outOfRange()) || (a[1] ?? outOfRange()) - (b[1] ?? outOfRange()),
    )
    for (const [at, row] of rows.entries()) this.#rows.set(row, (first + at) * 3)
  }
}

function isBefore(line: number, column: number, rows: Uint32Array, at: number): boolean {
  const lineOfRow = rows[at * 3] ?? outOfRange()
  return line < lineOfRow || (line === lineOfRow && column < (rows[at * 3 + 1] ?? outOfRange()))
}

function findFunctionMap(window: ByteWindow, range: JsonRange) {
  if (!isArray(window, range)) return undefined
  for (const element of listElements(window, range)) {
    if (!isObject(window, element)) return undefined
    let [names, mappings]: (JsonRange | undefined)[] = []
    for (const { key, value } of listMembers(window, element)) {
      if (key === 'names' && isArray(window, value)) names = value
      if (key === 'mappings' && isString(window, value)) mappings = value
    }
    return names && mappings ? { names, mappings } : undefined
  }
  return undefined
}
