/** Finds the parts of a source map that lookups need, by their place in the file. */
import { SymbolsError } from '../symbols-error.ts'
import type { ByteWindow } from './byte-window.ts'
import {
  findValue,
  isArray,
  isObject,
  isString,
  type JsonRange,
  listElements,
  listMembers,
  readCount,
  readText,
  skipSpace,
} from './json-scanner.ts'
import { maxBundleSegments, maxSectionDepth, maxSections } from './limits.ts'

/** A map that holds mappings itself. It stands at a place of the generated file, which the next one cuts off. */
export interface MapPart {
  /** Counted from 0. */
  line: number
  /** Counted from 0; it applies to the part's first line only. */
  column: number
  end: Position
  sourceRoot: string | null
  sources: JsonRange
  names: JsonRange | null
  mappings: JsonRange
  functionMaps: JsonRange | null
  /** The texts of the sources. */
  contents: JsonRange | null
}

interface Position {
  line: number
  column: number
}

export interface BundleOutline {
  segment: number
  parts: MapPart[]
  /** The lines that the modules of a RAM bundle begin in. */
  modules: JsonRange | null
}

export interface MapOutline {
  file: string | null
  debugId: string | null
  bundles: BundleOutline[]
}

const maxTextBytes = 64 * 1024
const nowhere: Position = { line: Infinity, column: 0 }

/** Throws `malformed-source-map`, `too-large`. */
export function readOutline(window: ByteWindow, problems: string[]): MapOutline {
  const root = findRoot(window)
  const fields = readFields(window, root)
  const text = (key: string) => readField(window, fields, key)
  const budget = { sections: maxSections }
  const bundles = [readBundle(window, fields, 0, budget, problems)]
  const segments = fields.get('x_facebook_segments')
  if (segments && isObject(window, segments)) {
    for (const { key, value } of listMembers(window, segments)) {
      const segment = /^\d{1,6}$/.test(key) ? Number(key) : 0
      if (segment === 0 || !isObject(window, value)) continue
      if (bundles.length > maxBundleSegments) throw tooMany('segments of a bundle', maxBundleSegments)
      bundles.push(readBundle(window, readFields(window, value), segment, budget, problems))
    }
  }
  return { file: text('file'), debugId: text('debugId') ?? text('debug_id'), bundles }
}

/** Passes over a byte order mark and the line that keeps other programs from running the file. */
function findRoot(window: ByteWindow): JsonRange {
  let at = window.at(0) === 0xef && window.at(1) === 0xbb && window.at(2) === 0xbf ? 3 : 0
  if (window.at(at) === 0x29 && window.at(at + 1) === 0x5d && window.at(at + 2) === 0x7d) {
    while (window.at(at) !== 0x0a && window.at(at) >= 0) at++
  }
  const root = findValue(window, at)
  if (!isObject(window, root)) throw malformed('It is no JSON object.')
  if (window.at(skipSpace(window, root.end)) >= 0) throw malformed('Something follows its JSON object.')
  return root
}

type Fields = Map<string, JsonRange>

function readFields(window: ByteWindow, object: JsonRange): Fields {
  const fields: Fields = new Map()
  for (const { key, value } of listMembers(window, object)) fields.set(key, value)
  return fields
}

function readField(window: ByteWindow, fields: Fields, key: string): string | null {
  const range = fields.get(key)
  return range ? readText(window, range, maxTextBytes) : null
}

function readBundle(
  window: ByteWindow,
  fields: Fields,
  segment: number,
  budget: { sections: number },
  problems: string[],
): BundleOutline {
  const parts: MapPart[] = []
  const place = { start: { line: 0, column: 0 }, end: nowhere, depth: 0 }
  addParts(window, fields, place, { parts, budget, problems })
  const modules = fields.get('x_facebook_offsets')
  return { segment, parts, modules: modules && isArray(window, modules) ? modules : null }
}

interface Found {
  parts: MapPart[]
  budget: { sections: number }
  problems: string[]
}

interface Place {
  start: Position
  end: Position
  depth: number
}

function addParts(window: ByteWindow, fields: Fields, place: Place, found: Found): void {
  const version = fields.get('version')
  if (!version || readCount(window, version) !== 3) throw malformed('Its version is not 3.')
  const sections = fields.get('sections')
  if (sections) addSections(window, sections, place, found)
  else found.parts.push(toPart(window, fields, place))
}

function toPart(window: ByteWindow, fields: Fields, { start, end }: Place): MapPart {
  const [sources, names, mappings] = [fields.get('sources'), fields.get('names'), fields.get('mappings')]
  if (!mappings || !isString(window, mappings)) throw malformed('Its mappings are no text.')
  if (!sources || !isArray(window, sources)) throw malformed('Its sources are no list.')
  const functionMaps = fields.get('x_facebook_sources')
  const contents = fields.get('sourcesContent')
  return {
    ...start,
    end,
    sourceRoot: readField(window, fields, 'sourceRoot'),
    sources,
    names: names && isArray(window, names) ? names : null,
    mappings,
    functionMaps: functionMaps && isArray(window, functionMaps) ? functionMaps : null,
    contents: contents && isArray(window, contents) ? contents : null,
  }
}

function addSections(window: ByteWindow, range: JsonRange, place: Place, found: Found): void {
  if (!isArray(window, range)) throw malformed('Its sections are no list.')
  if (place.depth >= maxSectionDepth) throw tooMany('sections inside one another', maxSectionDepth)
  const sections: { start: Position; map: JsonRange }[] = []
  for (const element of listElements(window, range)) {
    if (found.budget.sections-- <= 0) throw tooMany('sections', maxSections)
    const section = toSection(window, element, place)
    if (section) sections.push(section)
    else found.problems.push('A section has no offset that can be read, so it is left out.')
  }
  sections.sort((a, b) => comparePositions(a.start, b.start))
  for (const [index, { start, map }] of sections.entries()) {
    const next = sections[index + 1]?.start ?? nowhere
    const end = comparePositions(next, place.end) < 0 ? next : place.end
    if (comparePositions(start, end) < 0) {
      addParts(window, readFields(window, map), { start, end, depth: place.depth + 1 }, found)
    }
  }
}

function toSection(window: ByteWindow, element: JsonRange, { start }: Place) {
  if (!isObject(window, element)) return undefined
  const fields = readFields(window, element)
  const map = fields.get('map')
  if (!map && fields.has('url')) throw malformed('A section names an address, which is never fetched.')
  const offset = fields.get('offset')
  if (!map || !isObject(window, map) || !offset || !isObject(window, offset)) return undefined
  const places = readFields(window, offset)
  const read = (key: string) => {
    const range = places.get(key)
    return range ? readCount(window, range) : null
  }
  const [line, column] = [read('line'), read('column')]
  if (line === null || column === null || line > 0xffffffff || column > 0xffffffff) return undefined
  return { start: { line: start.line + line, column: line === 0 ? start.column + column : column }, map }
}

function comparePositions(a: Position, b: Position): number {
  return a.line === b.line ? a.column - b.column : a.line < b.line ? -1 : 1
}

function malformed(detail: string): SymbolsError {
  return new SymbolsError('malformed-source-map', detail)
}

function tooMany(what: string, limit: number): SymbolsError {
  return new SymbolsError('too-large', `It has more than ${limit} ${what}.`)
}
