import { outOfRange } from '@fairlead/invariant'
import { PartCache } from '../lookup/part-cache.ts'
import { SymbolsError } from '../symbols-error.ts'
import { type ChunkedFile, openChunked } from './chunked-file.ts'
import {
  type BundlePart,
  contentRow,
  damaged,
  directoryRow,
  type Footer,
  formatVersion,
  functionRow,
  headerBytes,
  magic,
  noModule,
  segmentsOfPage,
  sourceRow,
  tailBytes,
} from './format.ts'
import { decodePage, lineOf, type Page, readColumn } from './page.ts'
import { cutLines, readContentAt, type SourceLines } from './source-contents.ts'

/** A place in generated code. */
export interface GeneratedPosition {
  /** Counted from 1. */
  line: number
  /** Counted from 0. */
  column: number
  /** The segment of a bundle that has several; 0 is the bundle itself. */
  segment?: number | undefined
  /** The module of a RAM bundle that the line is counted in. */
  module?: number | undefined
}

/** A place in the source. */
export interface OriginalPosition {
  /** As the map has it, behind its source root; null if the map has none. */
  source: string | null
  /** Counted from 1. */
  line: number
  /** Counted from 0. */
  column: number
  /** The name of the token there, which need not be that of the function around it. */
  name: string | null
  /** The function around the place; null if the map says nothing of functions. */
  functionName: string | null
}

/** An open lookup file of a source map. Its reads are synchronous, few and small. */
export interface SourceMap extends Disposable {
  /** The source of a place; undefined if the map says that nothing is there. */
  find(position: GeneratedPosition): OriginalPosition | undefined
  /** The lines of the source around a place; undefined if the map does not have the text of that source. */
  findLines(position: GeneratedPosition, around: number): SourceLines | undefined
}

interface PlaceInPage {
  page: Page
  index: number
}

const maxKeptSources = 8 * 2 ** 20
const maxFooterBytes = 2 ** 20
const maxKeptTexts = 200_000
const fewTexts = 100
const maxWholeStrings = 16 * 2 ** 20

/**
 * Opens a lookup file. Throws `unreadable`, `malformed-lookup`, or `outdated-lookup` if the file has to be built again.
 *
 * @param cacheBytes how much of the file may stay in memory
 */
export function openSourceMap(path: string, { cacheBytes = 64 * 2 ** 20 } = {}): SourceMap {
  const file = openChunked(path, cacheBytes)
  try {
    return createSourceMap(file, readFooter(file), cacheBytes)
  } catch (error) {
    file[Symbol.dispose]()
    throw error
  }
}

function readFooter(file: ChunkedFile): Footer {
  if (file.size < headerBytes + tailBytes) throw damaged()
  const head = file.read(0, headerBytes)
  if (head.readUInt32LE(0) !== magic) throw damaged()
  if (head.readUInt32LE(4) !== formatVersion) throw new SymbolsError('outdated-lookup')
  const tail = file.read(file.size - tailBytes, tailBytes)
  const length = tail.readUInt32LE(0)
  if (tail.readUInt32LE(4) !== magic || length > maxFooterBytes) throw damaged()
  const text = file.read(file.size - tailBytes - length, length).toString()
  try {
    // This package wrote it, and the header says so.
    const footer: Footer = JSON.parse(text)
    return footer
  } catch (cause) {
    throw damaged(cause)
  }
}

function createSourceMap(file: ChunkedFile, footer: Footer, cacheBytes: number): SourceMap {
  const { directory, strings } = footer
  const [sources, functions, offsets] = [footer.sources, footer.functions, footer.offsets].map((part) =>
    file.openTable(part),
  )
  if (!sources || !functions || !offsets) throw damaged()
  const bytes = file.read(directory.offset, directory.length * 4)
  const rows = new Uint32Array(bytes.buffer, bytes.byteOffset, directory.length)
  const pages = new PartCache<Page>(cacheBytes)
  const texts: (string | undefined)[] = []
  let [keptTexts, readTexts]: [number, number] = [0, 0]
  let wholeStrings: Buffer | undefined

  const readPage = (page: number): Page =>
    pages.require(page, () => {
      const start = rows[page * directoryRow + 2] ?? outOfRange()
      const end = rows[(page + 1) * directoryRow + 2] ?? footer.directory.offset
      const count = rows[page * directoryRow + 3] ?? outOfRange()
      if (count > segmentsOfPage) throw damaged()
      return decodePage(file.read(start, end - start), count)
    })

  const readText = (number: number): string => {
    const known = texts[number]
    if (known !== undefined) return known
    const start = offsets.at(number)
    const length = offsets.at(number + 1) - start
    if (length < 0 || start + length > strings.length) throw damaged()
    // A few names are read alone; where there are many, one read of all of them is faster.
    if (++readTexts > fewTexts && strings.length <= maxWholeStrings) {
      wholeStrings ??= file.read(strings.offset, strings.length)
    }
    const text = wholeStrings
      ? wholeStrings.toString('utf8', start, start + length)
      : file.read(strings.offset + start, length).toString()
    if (++keptTexts <= maxKeptTexts) texts[number] = text
    return text
  }

  const toText = (number: number): string | null => (number === 0 ? null : readText(number - 1))

  /** The name of the last entry at or before a place in a source. */
  const findFunction = (source: number, line: number, column: number): string | null => {
    if (functions.length === 0) return null
    let low = sources.at(source * sourceRow + 1)
    let high = sources.at((source + 1) * sourceRow + 1)
    const first = low
    while (low < high) {
      const middle = (low + high) >>> 1
      const lineOfRow = functions.at(middle * functionRow)
      const isBefore = lineOfRow < line || (lineOfRow === line && functions.at(middle * functionRow + 1) <= column)
      if (isBefore) low = middle + 1
      else high = middle
    }
    return low === first ? null : toText(functions.at((low - 1) * functionRow + 2))
  }

  const toOriginal = ({ page, index }: PlaceInPage): OriginalPosition | undefined => {
    const source = readColumn(page, 2, index)
    if (source === 0) return undefined
    const line = readColumn(page, 3, index) + 1
    const column = readColumn(page, 4, index)
    return {
      source: toText(sources.at((source - 1) * sourceRow)),
      line,
      column,
      name: toText(readColumn(page, 5, index)),
      functionName: findFunction(source - 1, line, column),
    }
  }

  const main = footer.bundles.find((one) => one.segment === 0)
  const locate = ({ line, column, segment = 0, module }: GeneratedPosition): PlaceInPage | undefined => {
    const bundle = segment === 0 ? main : footer.bundles.find((one) => one.segment === segment)
    if (!bundle || line < 1 || column < 0) return undefined
    const first = module === undefined ? 0 : findModule(file, bundle, module)
    if (first === undefined) return undefined
    const wanted = line - 1 + first
    const page = findPage(rows, bundle, wanted, column)
    if (page < bundle.firstPage) {
      const next = readPageOf(bundle, page + 1, readPage)
      return next && isAt(next, 0, wanted, column) ? { page: next, index: 0 } : undefined
    }
    const found = readPage(page)
    const last = findLastBefore(found, wanted, column)
    // Of several segments at the very position the first one counts.
    const [nextPage, next] = last + 1 < found.count ? [found, last + 1] : [readPageOf(bundle, page + 1, readPage), 0]
    if (nextPage && isAt(nextPage, next, wanted, column)) return { page: nextPage, index: next }
    return lineOf(found, last) === wanted ? { page: found, index: last } : undefined
  }

  const contents = footer.contents && file.openTable(footer.contents)
  // The frames of a stack lie in few sources.
  const keptSources = new PartCache<{ text: string; byteLength: number }>(maxKeptSources)
  const readSource = (source: number): string | undefined => {
    const length = contents?.at(source * contentRow + 1) ?? 0
    if (!contents || length === 0) return undefined
    const offset = contents.at(source * contentRow)
    return keptSources.require(source, () => {
      const text = readContentAt((from, count) => file.read(from, count), { offset, length })
      return { text, byteLength: text.length * 2 }
    }).text
  }

  return {
    find(position) {
      const place = locate(position)
      return place && toOriginal(place)
    },
    findLines(position, around) {
      const place = locate(position)
      const source = place ? readColumn(place.page, 2, place.index) : 0
      const text = source === 0 ? undefined : readSource(source - 1)
      if (!place || text === undefined) return undefined
      return cutLines(text, readColumn(place.page, 3, place.index) + 1, around)
    },
    [Symbol.dispose]: () => file[Symbol.dispose](),
  }
}

function readPageOf({ endPage }: BundlePart, page: number, readPage: (page: number) => Page): Page | undefined {
  return page < endPage ? readPage(page) : undefined
}

function findModule(file: ChunkedFile, { modules }: BundlePart, module: number): number | undefined {
  // A bundle that is one file has no modules, and its lines are its own.
  if (modules.length === 0) return 0
  if (module >= modules.length) return undefined
  const line = file.openTable(modules).at(module)
  return line === noModule ? undefined : line
}

/** The last page of a bundle that begins before a position; the one before its first page if there is none. */
function findPage(rows: Uint32Array, { firstPage, endPage }: BundlePart, line: number, column: number): number {
  let low = firstPage
  let high = endPage
  while (low < high) {
    const middle = (low + high) >>> 1
    const lineOfPage = rows[middle * directoryRow] ?? outOfRange()
    const isBefore =
      lineOfPage < line || (lineOfPage === line && (rows[middle * directoryRow + 1] ?? outOfRange()) < column)
    if (isBefore) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** The last segment of a page before a position; there is one. */
function findLastBefore(page: Page, line: number, column: number): number {
  const { generated } = page
  let low = 0
  let high = page.count
  while (low < high) {
    const middle = (low + high) >>> 1
    const lineOfSegment = lineOf(page, middle)
    if (lineOfSegment < line || (lineOfSegment === line && (generated[middle] ?? outOfRange()) < column))
      low = middle + 1
    else high = middle
  }
  return low - 1
}

function isAt(page: Page, index: number, line: number, column: number): boolean {
  return page.generated[index] === column && lineOf(page, index) === line
}
