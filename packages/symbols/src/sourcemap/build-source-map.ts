import { SymbolsError } from '../symbols-error.ts'
import { toDebugIdText } from './debug-id.ts'
import { openFileBytes } from '../bytes/file-bytes.ts'
import { ByteWindow } from './byte-window.ts'
import { decodeMappings } from './decode-mappings.ts'
import { type BundlePart, type Footer, formatVersion, magic, noModule, type Part } from './format.ts'
import { FunctionTable } from './function-maps.ts'
import { isString, type JsonRange, listElements, readCount, readText } from './json-scanner.ts'
import { maxMapBytes, maxModules, maxSegments, maxStringBytes } from './limits.ts'
import { type BundleOutline, type MapPart, readOutline } from './map-outline.ts'
import { FileWriter, PageWriter } from './page-writer.ts'
import { writeContents } from './source-contents.ts'
import { StringPool, type StringRange } from './string-pool.ts'

export interface BuiltSourceMap {
  /** What the map says itself: the name of its bundle, and its debug id in lower case with hyphens. */
  file: string | null
  debugId: string | null
  lookupBytes: number
  problems: string[]
}

const maxProblems = 100

/**
 * Builds the lookup file of the source map at `path`. Little of the map is in memory at a time.
 * Throws `malformed-source-map`, `too-large`, `unreadable`.
 */
export function buildSourceMap(path: string, lookupFile: string): BuiltSourceMap {
  using source = openFileBytes(path)
  if (source.size > maxMapBytes) throw new SymbolsError('too-large', `A source map has over ${maxMapBytes} bytes.`)
  const window = new ByteWindow(source)
  const problems: string[] = []
  const { file, debugId, bundles } = readOutline(window, problems)
  using writer = new FileWriter(lookupFile)
  writer.write(toBytes(Uint32Array.of(magic, formatVersion)))
  const builder = new Builder(window, writer, problems)
  const parts = bundles.map((bundle) => builder.addBundle(bundle))
  builder.finish(parts)
  return {
    file,
    debugId: debugId === null ? null : toDebugIdText(debugId),
    lookupBytes: writer.length,
    problems: problems.slice(0, maxProblems),
  }
}

class Builder {
  readonly #window: ByteWindow
  readonly #writer: FileWriter
  readonly #problems: string[]
  readonly #pages: PageWriter
  readonly #strings = new StringPool()
  readonly #functions = new FunctionTable()
  /** Rows of the table of sources: the string + 1, the first function entry. */
  readonly #sources: number[] = []
  /** Where the text of each source is in the map. */
  readonly #contents: (JsonRange | undefined)[] = []
  readonly #budget = { segments: maxSegments }

  constructor(window: ByteWindow, writer: FileWriter, problems: string[]) {
    this.#window = window
    this.#writer = writer
    this.#problems = problems
    this.#pages = new PageWriter(writer)
  }

  addBundle({ segment, parts, modules }: BundleOutline): BundlePart {
    const firstPage = this.#pages.pages
    for (const part of parts) this.#addPart(part)
    this.#pages.flush()
    const endPage = this.#pages.pages
    return { segment, firstPage, endPage, modules: this.#writeNumbers(modules ? this.#readModules(modules) : []) }
  }

  #addPart(part: MapPart): void {
    const firstSource = this.#sources.length / 2
    const functionMaps = part.functionMaps ? listElements(this.#window, part.functionMaps) : undefined
    for (const element of listElements(this.#window, part.sources)) {
      const functionMap = functionMaps?.next()
      const name = toSource(part.sourceRoot, readText(this.#window, element, maxStringBytes))
      this.#sources.push(name === null ? 0 : this.#strings.add(Buffer.from(name)) + 1, this.#functions.count)
      if (functionMap?.done === false) {
        this.#functions.add(this.#window, functionMap.value, (names) => this.#addStrings(names))
      }
    }
    const sources = this.#sources.length / 2 - firstSource
    this.#addContents(part, firstSource)
    const names = part.names ? this.#addStrings(part.names) : { first: 0, count: 0 }
    const tables = { firstSource, sources, names, budget: this.#budget }
    decodeMappings(this.#window, part, tables, this.#pages, this.#problems)
  }

  #addContents({ contents }: MapPart, firstSource: number): void {
    const endSource = this.#sources.length / 2
    const elements = contents ? listElements(this.#window, contents) : undefined
    for (let source = firstSource; source < endSource; source++) {
      const element = elements?.next()
      this.#contents.push(element?.done === false && isString(this.#window, element.value) ? element.value : undefined)
    }
  }

  #addStrings(list: JsonRange): StringRange {
    const first = this.#strings.count
    for (const element of listElements(this.#window, list)) this.#strings.add(this.#readBytes(element))
    return { first, count: this.#strings.count - first }
  }

  /** Most names hold no escape, so that their bytes are what is stored. */
  #readBytes(element: JsonRange): Buffer {
    if (!isString(this.#window, element)) return Buffer.alloc(0)
    if (element.end - element.start > maxStringBytes) throw new SymbolsError('too-large', 'A name is too long.')
    const bytes = this.#window.slice(element.start + 1, element.end - 1)
    return bytes.includes(0x5c) ? Buffer.from(readText(this.#window, element, maxStringBytes) ?? '') : bytes
  }

  #readModules(list: JsonRange): number[] {
    const lines: number[] = []
    for (const element of listElements(this.#window, list)) {
      const line = readCount(this.#window, element)
      lines.push(line === null || line >= noModule ? noModule : line)
      if (lines.length > maxModules) throw new SymbolsError('too-large', `It has over ${maxModules} modules.`)
    }
    return lines
  }

  finish(bundles: BundlePart[]): void {
    const directory = this.#writeNumbers(this.#pages.directory)
    const contents = writeContents(this.#window, this.#writer, this.#contents)
    this.#sources.push(0, this.#functions.count)
    const footer: Footer = {
      directory,
      sources: this.#writeNumbers(this.#sources),
      functions: this.#writeNumbers(this.#functions.rows()),
      offsets: this.#writeNumbers(this.#strings.toOffsets()),
      strings: this.#writeStrings(),
      contents: this.#writeNumbers(contents),
      bundles,
    }
    const text = Buffer.from(JSON.stringify(footer))
    this.#writer.write(text)
    this.#writer.write(toBytes(Uint32Array.of(text.length, magic)))
  }

  #writeNumbers(numbers: ArrayLike<number>): Part {
    const offset = this.#writer.length
    const words = numbers instanceof Uint32Array ? numbers : Uint32Array.from(numbers)
    if (words.length > 0) this.#writer.write(toBytes(words))
    return { offset, length: words.length }
  }

  #writeStrings(): Part {
    const offset = this.#writer.length
    for (const chunk of this.#strings.chunks) this.#writer.write(chunk)
    // What may follow is read as numbers, so it begins at a multiple of their size.
    this.#writer.write(Buffer.alloc((4 - (this.#strings.bytes % 4)) % 4))
    return { offset, length: this.#strings.bytes }
  }
}

function toBytes(words: Uint32Array): Buffer {
  return Buffer.from(words.buffer, words.byteOffset, words.byteLength)
}

/** The source root is a folder, with or without a slash at its end. It says nothing of addresses with a scheme. */
function toSource(root: string | null, source: string | null): string | null {
  if (source === null || root === null || root === '' || /^[a-z][a-z0-9+.-]{0,30}:/i.test(source)) return source
  return root.endsWith('/') || source.startsWith('/') ? root + source : `${root}/${source}`
}
