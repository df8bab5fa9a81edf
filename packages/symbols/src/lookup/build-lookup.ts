/**
 * Builds the lookup file of one image. It reads unit by unit in the order of the file and writes in the order of
 * addresses. It holds one unit at a time, and some 20 bytes for each segment of the image.
 */
import { outOfRange } from '@fairlead/invariant'
import { CodeEntries, CodeRanges } from '../dwarf/code-entries.ts'
import { openDebugSections } from '../dwarf/debug-sections.ts'
import { EntryNames } from '../dwarf/entry-names.ts'
import { LineRows } from '../dwarf/line-rows.ts'
import { Section, toNamePlace, withName } from '../dwarf/name-place.ts'
import { PagedBytes } from '../dwarf/paged-bytes.ts'
import { listUnits, type Unit } from '../dwarf/unit.ts'
import { listUnitRanges } from '../dwarf/unit-ranges.ts'
import { clipToCode } from '../dwarf/code-place.ts'
import type { CodeImage } from './code-image.ts'
import { LookupWriter } from './lookup-writer.ts'
import type { StringSource } from './region-strings.ts'
import { NamePool, PathPool, Scopes, Segments } from './segments.ts'
import { SymbolCursor } from './symbol-cursor.ts'
import { findSymbolFile, type Gathered, gatherUnit, type Stretch } from './unit-segments.ts'

/** Ranges of code that are read in one image. The largest apps have some millions. */
const rangeBudget = 32 * 1024 * 1024
const maxUnitBytes = 1024 * 1024 * 1024

export interface BuiltLookup {
  /** Size of the lookup file in bytes. */
  size: number
  segments: number
  /** Sentences about parts that could not be read. */
  problems: string[]
}

/**
 * Reads an image and writes its lookup file to `path`. Damaged parts are left out and listed in `problems`. Throws
 * `too-large` beyond a limit.
 */
export function buildLookup(image: CodeImage, path: string): BuiltLookup {
  const problems: string[] = []
  const { symbols } = image
  const sections = openDebugSections(image.findSection)
  const units = listUnits(sections, problems)
  const names = new NamePool()
  const gathered: Gathered = {
    sections,
    symbols,
    place: image,
    symbolStrings: new PagedBytes(image.symbolStrings),
    entryNames: new EntryNames(sections, units, names),
    names,
    paths: new PathPool(),
    // The first capacity is a guess: compilers write some five bytes for a line row, and sixty for an inlined call with
    // its surroundings.
    scopes: new Scopes((sections.info?.size ?? 0) / 60),
    segments: new Segments((sections.line?.size ?? 0) / 5),
    rows: new LineRows(),
    code: { entries: new CodeEntries(), ranges: new CodeRanges() },
    innermost: new CodeRanges(),
    budget: { left: rangeBudget },
  }
  const stretches = gatherStretches(gathered, units, problems)
  const size = write(gathered, stretches, image, path)
  return { size, segments: gathered.segments.count, problems }
}

function gatherStretches(gathered: Gathered, units: readonly Unit[], problems: string[]): Stretch[] {
  const { sections, place } = gathered
  const byUnit = Map.groupBy(listUnitRanges(sections, units, place, gathered.budget), ({ unit }) => unit)
  const stretches: Stretch[] = []
  let memory = Buffer.alloc(0)
  for (const [unit, ranges] of byUnit) {
    if (unit.end - unit.offset > maxUnitBytes) {
      problems.push(`A unit of debug entries has ${unit.end - unit.offset} bytes and was left out.`)
      continue
    }
    if (memory.length < unit.end - unit.offset) memory = Buffer.allocUnsafe(unit.end - unit.offset)
    const bytes = memory.subarray(0, unit.end - unit.offset)
    sections.info?.source.readInto(bytes, sections.info.offset + unit.offset)
    const offsets = ranges
      .map(({ low, high }) => ({
        low: low - place.textAddress,
        high: Math.min(high - place.textAddress, 0xffffffff),
      }))
      .filter(({ low, high }) => low >= 0 && low < high)
      .flatMap((range) => clipToCode(place, range))
    for (const stretch of gatherUnit(gathered, unit, bytes, offsets)) stretches.push(stretch)
  }
  if (gathered.budget.left <= 0) problems.push('It has more ranges of code than are read.')
  return stretches.sort((a, b) => a.low - b.low)
}

function write(gathered: Gathered, stretches: readonly Stretch[], image: CodeImage, path: string): number {
  const { sections, names, paths, scopes, segments, symbols, symbolStrings } = gathered
  const namedSections: (PagedBytes | undefined)[] = []
  namedSections[Section.strings] = sections.strings
  namedSections[Section.lineStrings] = sections.lineStrings
  namedSections[Section.entries] = sections.entries
  namedSections[Section.symbolStrings] = symbolStrings
  const firstSymbol = toNamePlace(Section.symbolStrings, 0)
  const strings: StringSource = {
    appendName(id, writer) {
      const place = names.places[id] ?? outOfRange()
      const underscore = image.hasUnderscores && place >= firstSymbol ? 0x5f : -1
      withName(namedSections, place, (bytes, start, end) => {
        writer.append(bytes, bytes[start] === underscore ? start + 1 : start, end)
      })
    },
    appendPath: (id, writer) => writer.append(Buffer.from(paths.paths[id] ?? outOfRange())),
  }

  const writeSymbols = (writer: LookupWriter, low: number, high: number) => {
    const cursor = new SymbolCursor(symbols, low)
    for (let offset = low; offset < high;) {
      const symbol = cursor.find(offset)
      const name =
        symbol < 0 ? 0 : names.intern(toNamePlace(Section.symbolStrings, symbols.name[symbol] ?? outOfRange()))
      writer.push(offset, name === 0 ? 0 : scopes.push(name, 0, 0, 0, 0), findSymbolFile(gathered, symbol), 0, 0)
      offset = Math.min(high, cursor.limit(offset))
    }
  }

  using writer = new LookupWriter(path, scopes, strings)
  let offset = 0
  for (const { low, high, firstSegment, endSegment } of stretches) {
    writeSymbols(writer, offset, low)
    for (let index = firstSegment; index < endSegment; index++) {
      writer.push(
        segments.start[index] ?? outOfRange(),
        segments.scope[index] ?? outOfRange(),
        segments.file[index] ?? outOfRange(),
        segments.line[index] ?? outOfRange(),
        segments.column[index] ?? outOfRange(),
      )
    }
    offset = high
  }
  writeSymbols(writer, offset, 0xffffffff)
  return writer.finish(image)
}
