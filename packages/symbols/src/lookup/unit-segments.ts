/**
 * Makes the segments of one unit: a segment begins where its code entries, its line rows or the symbol table change.
 *
 * A function has the name that the symbol table gives it there, because that is the linker's result. The name in the
 * debug information counts if the symbol table has none. Inlined calls have only the latter.
 */
import { outOfRange } from '@fairlead/invariant'
import { readCode, type UnitCode } from '../dwarf/read-code.ts'
import type { DebugSections } from '../dwarf/debug-sections.ts'
import type { EntryNames } from '../dwarf/entry-names.ts'
import { findInnermost } from '../dwarf/innermost.ts'
import type { CodeRanges } from '../dwarf/code-entries.ts'
import { findPath, type LineHeader, readLineHeader } from '../dwarf/line-header.ts'
import { type LineRows, runLineProgram } from '../dwarf/line-rows.ts'
import { Section, toNamePlace } from '../dwarf/name-place.ts'
import type { PagedBytes } from '../dwarf/paged-bytes.ts'
import type { RangeBudget } from '../dwarf/ranges.ts'
import type { Unit } from '../dwarf/unit.ts'
import type { CodePlace } from '../dwarf/code-place.ts'
import type { SymbolRanges } from './symbol-ranges.ts'
import { upperBound } from '../sorted/search.ts'
import { LineCursor } from './line-cursor.ts'
import type { NamePool, PathPool, Scopes, Segments } from './segments.ts'
import { SymbolCursor } from './symbol-cursor.ts'

/** The collections that all units of an image are added to. */
export interface Gathered {
  sections: DebugSections
  symbols: SymbolRanges
  place: CodePlace
  symbolStrings: PagedBytes
  entryNames: EntryNames
  names: NamePool
  paths: PathPool
  scopes: Scopes
  segments: Segments
  rows: LineRows
  code: UnitCode
  /** The state of the current unit. */
  innermost: CodeRanges
  budget: RangeBudget
}

/** A range [low, high) of an image's offsets, and the segments that cover it. */
export interface Stretch {
  low: number
  high: number
  firstSegment: number
  endSegment: number
}

/** Reads a unit's bytes once and appends the segments of each of its ranges. */
export function gatherUnit(
  gathered: Gathered,
  unit: Unit,
  bytes: Uint8Array,
  ranges: readonly { low: number; high: number }[],
): Stretch[] {
  const { sections, rows, code, innermost, place } = gathered
  gathered.entryNames.enterUnit(unit, bytes)
  rows.clear()
  const header = readLineHeader(sections, unit)
  if (header) runLineProgram(header, place, rows)
  readCode(sections, unit, bytes, place, gathered.budget, code)
  const scopes = createUnitScopes(gathered, unit, header)
  findInnermost(code.ranges, innermost)
  const lines = new LineCursor(rows)
  return ranges.map(({ low, high }) => {
    const firstSegment = gathered.segments.count
    gatherRange(gathered, { low, high, lines, scopes })
    return { low, high, firstSegment, endSegment: gathered.segments.count }
  })
}

interface RangeParts {
  low: number
  high: number
  lines: LineCursor
  scopes: UnitScopes
}

function gatherRange({ segments, symbols, rows, innermost }: Gathered, { low, high, lines, scopes }: RangeParts): void {
  const symbolCursor = new SymbolCursor(symbols, low)
  lines.seek(low)
  let code = upperBound(innermost.high, low, 0, innermost.count)
  let [lastScope, lastFile, lastLine, lastColumn] = [-1, -1, -1, -1]
  for (let offset = low; offset < high;) {
    while (code < innermost.count && (innermost.high[code] ?? outOfRange()) <= offset) code++
    const codeLow = code < innermost.count ? (innermost.low[code] ?? outOfRange()) : Number.POSITIVE_INFINITY
    const isCode = codeLow <= offset
    const row = lines.find(offset)
    const symbol = symbolCursor.find(offset)
    const scope = scopes.find(isCode ? (innermost.entry[code] ?? outOfRange()) : -1, symbol)
    const file = row < 0 ? scopes.toSymbolFile(symbol) : scopes.toFile(rows.file[row] ?? outOfRange())
    const line = file === 0 || row < 0 ? 0 : (rows.line[row] ?? outOfRange())
    const column = file === 0 || row < 0 ? 0 : (rows.column[row] ?? outOfRange())
    if (scope !== lastScope || file !== lastFile || line !== lastLine || column !== lastColumn) {
      segments.push(offset, scope, file, line, column)
      lastScope = scope
      lastFile = file
      lastLine = line
      lastColumn = column
    }
    offset = Math.min(
      high,
      isCode ? (innermost.high[code] ?? outOfRange()) : codeLow,
      lines.limit(offset),
      symbolCursor.limit(offset),
    )
  }
}

/** The file that the symbol table names for a symbol, as a number of the path pool; 0 for none. */
export function findSymbolFile({ symbols, symbolStrings, paths }: Gathered, symbol: number): number {
  const offset = symbol < 0 ? 0 : (symbols.file?.[symbol] ?? 0)
  return offset === 0 ? 0 : paths.intern(symbolStrings.readText(offset, longestFileName) ?? '')
}

const longestFileName = 4096

interface UnitScopes {
  /** The scope of a code entry (−1: none) in the function that a symbol (−1: none) names. */
  find(entry: number, symbol: number): number
  /** The path that the symbol table gives for a symbol (−1: none), for code without a line. */
  toSymbolFile(symbol: number): number
  /** The path of a file index of this unit. */
  toFile(index: number): number
}

const unset = -2

function createUnitScopes(gathered: Gathered, unit: Unit, header: LineHeader | undefined): UnitScopes {
  const { scopes, names, paths, symbols, entryNames, sections } = gathered
  const { entries } = gathered.code
  const files: number[] = []
  const scopeOf = new Int32Array(entries.count)
  const symbolOf = new Int32Array(entries.count).fill(unset)
  const rest = new Map<string, number>()
  const bare = new Map<number, number>()

  const toFile = (index: number): number => {
    files[index] ??= paths.intern((header && findPath(sections, unit, header, index)) ?? '')
    return files[index]
  }
  const create = (entry: number, symbol: number): number => {
    const parent = entries.parent[entry] ?? outOfRange()
    const nameEntry = entries.nameEntry[entry] ?? outOfRange()
    const artificial = entries.artificial[entry] ?? outOfRange()
    if (parent < 0)
      return scopes.push(symbol < 0 ? entryNames.findName(nameEntry) : symbolName(symbol), 0, 0, 0, 0, artificial)
    const callLine = entries.callLine[entry] ?? outOfRange()
    const callColumn = entries.callColumn[entry] ?? outOfRange()
    const callFile = toFile(entries.callFile[entry] ?? outOfRange())
    return scopes.push(entryNames.findName(nameEntry), find(parent, symbol), callFile, callLine, callColumn, artificial)
  }
  const symbolName = (symbol: number) =>
    names.intern(toNamePlace(Section.symbolStrings, symbols.name[symbol] ?? outOfRange()))
  const findBare = (symbol: number): number => {
    if (symbol < 0) return 0
    const known = bare.get(symbol)
    if (known !== undefined) return known
    const scope = scopes.push(symbolName(symbol), 0, 0, 0, 0)
    bare.set(symbol, scope)
    return scope
  }
  const find = (entry: number, symbol: number): number => {
    if (entry < 0) return findBare(symbol)
    if (symbolOf[entry] === symbol) return scopeOf[entry] ?? outOfRange()
    if (symbolOf[entry] === unset) {
      symbolOf[entry] = symbol
      scopeOf[entry] = create(entry, symbol)
      return scopeOf[entry]
    }
    const key = `${entry} ${symbol}`
    const known = rest.get(key)
    if (known !== undefined) return known
    const scope = create(entry, symbol)
    rest.set(key, scope)
    return scope
  }
  return { find, toFile, toSymbolFile: (symbol) => findSymbolFile(gathered, symbol) }
}
