/** An open mapping: it answers questions about obfuscated names and reads only the classes that these concern. */
import { outOfRange } from '@fairlead/invariant'
import { SymbolsError } from '../../symbols-error.ts'
import { hashName, hashText } from '../bytes/hash-name.ts'
import type { Span } from '../bytes/span.ts'
import type { TextRange } from '../bytes/text-range.ts'
import { ClockCache } from '../cache/clock-cache.ts'
import { GenerationalCache } from '../cache/generational-cache.ts'
import { type ClassMapping, parseClassMapping } from '../mapping/class-mapping.ts'
import { type MapVersion, mapVersions } from '../mapping/map-version.ts'
import { ClassTableCache } from '../members/class-table-cache.ts'
import { type ClassTable, hashMember } from '../members/class-table.ts'
import { type MappedRange, type MemberMapping, parseMemberMapping } from '../members/member-mapping.ts'
import { SingleStack } from '../members/single-stack.ts'
import { findHash, type HashTable, type IndexFile, openIndexFile } from './index-file.ts'
import type { MappingHeader } from './index-format.ts'

export interface MappingOptions {
  /** How many bytes of uncompressed text to cache; 64 MiB by default. A single trace needs about 1 MiB. */
  readonly cacheBytes?: number
}

/** The part of a class that is read, in bytes. */
const maxClassLength = 16 * 1024 * 1024
/** How many classes with the same hash are compared. */
const maxNamesakes = 16
const maxWarnings = 100
/** Members with at least this many ranges are cached, because they are slow to parse. */
const largeName = 64
/** The total number of ranges in that cache. */
const maxLargeRanges = 65_536
/** The number of cached class mappings, about 200 bytes each. */
const maxCachedClasses = 65_536
/** The number of cached source file names. */
const maxCachedFileNames = 8192
/** The size of the cache of class tables, in bytes. */
const maxTableBytes = 16 * 1024 * 1024

/** Opens the index file at `indexPath`. Throws `SymbolsError`: `unreadable`, `malformed-lookup`, `outdated-lookup`. */
export function openMapping(indexPath: string, { cacheBytes = 64 * 1024 * 1024 }: MappingOptions = {}): Mapping {
  return new Mapping(openIndexFile(indexPath, cacheBytes))
}

/** Must be closed after use: `using mapping = openMapping(path)`. */
export class Mapping implements Disposable {
  readonly header: MappingHeader
  readonly classCount: number
  /** The work done so far, counted in line ranges read. Callers use it to stop a trace that costs too much. */
  effort = 0
  readonly #index: IndexFile
  readonly #warnings: Set<string>
  readonly #classCache: ClockCache<ClassMapping>
  readonly #tableCache: ClassTableCache
  readonly #sourceFileCache = new GenerationalCache<string, { fileName: string | undefined }>(
    maxCachedFileNames,
    () => 1,
  )

  readonly #largeMemberCache = new GenerationalCache<string, MemberMapping>(
    maxLargeRanges,
    ({ ranges }) => ranges.length,
  )

  constructor(index: IndexFile) {
    this.#index = index
    this.header = index.description.header
    this.classCount = index.classStarts.length
    this.#classCache = new ClockCache(this.classCount, maxCachedClasses, () => 1)
    this.#tableCache = new ClassTableCache(this.classCount, Math.min(maxTableBytes, 4 * index.textLength))
    this.#warnings = new Set(index.description.warnings)
  }

  /** Sentences about faults in the parts of the mapping that have been read. */
  get warnings(): readonly string[] {
    return [...this.#warnings]
  }

  warn(warning: string): void {
    if (this.#warnings.size < maxWarnings) this.#warnings.add(warning)
  }

  /** The classes with this obfuscated name. A mapping may, by mistake, have several. */
  findClasses(obfuscated: string): readonly ClassMapping[] {
    const found = this.#findByHash(this.#index.byObfuscated, obfuscated)
    return found.length === 1 && found[0]?.obfuscated === obfuscated
      ? found
      : found.filter((it) => it.obfuscated === obfuscated)
  }

  /**
   * The number of the class whose obfuscated name has that hash; -1 if there is none or more than one. `hashes` and
   * `classes` have the same length.
   */
  findUniqueClass(hash: number): number {
    const { hashes, classes } = this.#index.byObfuscated
    const at = findHash(hashes, hash)
    return hashes[at] === hash && hashes[at + 1] !== hash ? (classes[at] ?? outOfRange()) : -1
  }

  /** The source file of the class with this original name; `undefined` if the mapping does not name it. */
  findSourceFile(original: string): string | undefined {
    const cached = this.#sourceFileCache.get(original)
    if (cached) return cached.fileName
    const found = this.#findByHash(this.#index.byOriginal, original).filter((it) => it.original === original)
    const fileName = found.findLast((it) => it.fileName !== undefined)?.fileName
    this.#sourceFileCache.set(original, { fileName })
    return fileName
  }

  /**
   * Finds the source file of the class with the original name `name` and sets `file` to it; to an empty span if the
   * mapping names none. `owner` is a class that is known to have no file. Returns `false` if only `findSourceFile` can
   * tell.
   */
  findSourceFileFast(name: Span, owner: number, file: Span): boolean {
    file.set(name.bytes, 0, 0)
    const hash = hashName(name.bytes, name.start, name.end)
    const { hashes, classes } = this.#index.byOriginal
    const at = findHash(hashes, hash)
    if (hashes[at] !== hash) return true
    const number = classes[at] ?? outOfRange()
    if (hashes[at + 1] === hash) return false
    if (number === owner) return true
    const text = this.readText(number)
    const { bytes, start } = text
    const table = this.readTable(number, text)
    if (!table.hasNames) return false
    if (name.isEqual(bytes, start + table.originalStart, start + table.originalEnd)) {
      file.set(bytes, start + table.fileStart, start + table.fileEnd)
    }
    return true
  }

  /** Reads what the class says about members with the obfuscated name `obfuscated`. */
  readMembers({ number }: ClassMapping, obfuscated: string): MemberMapping {
    const key = `${number} ${obfuscated}`
    const cached = this.#largeMemberCache.get(key)
    this.effort += cached ? cached.ranges.length / 8 : 0
    if (cached) return cached
    const text = this.readText(number)
    const table = this.readTable(number, text)
    const members = parseMemberMapping(text, table, obfuscated, this.versionOf(number), (fault) => this.warn(fault))
    this.effort += members.ranges.length
    if (members.ranges.length >= largeName) this.#largeMemberCache.set(key, members)
    return members
  }

  /** The ranges of `line` in that method if the fast way of single-stack.ts applies; `undefined` otherwise. */
  findRangesFast({ number }: ClassMapping, obfuscated: string, line: number): MappedRange[] | undefined {
    const text = this.readText(number)
    const table = this.readTable(number, text)
    // Finding the name in the table is fast, but it does cost time in a class of a million lines.
    this.effort += table.lineCount / 256
    const bytes = Buffer.from(obfuscated)
    const name = { bytes, start: 0, end: bytes.length }
    const stack = new SingleStack()
    const isFound = stack.find(text, table, name, hashMember(obfuscated), line, this.versionOf(number))
    return isFound ? stack.toRanges(text, obfuscated) : undefined
  }

  /** The text of a class. Throws `SymbolsError` with `malformed-lookup` if there is no such class. */
  readText(number: number): TextRange {
    const { classStarts, textLength } = this.#index
    const start = classStarts[number]
    if (start === undefined) throw new SymbolsError('malformed-lookup', 'A class is missing.')
    return this.#index.findText(start, Math.min(classStarts[number + 1] ?? textLength, start + maxClassLength))
  }

  /** The table of the class whose text that is. The next call may overwrite it. */
  readTable(number: number, text: TextRange): ClassTable {
    return this.#tableCache.get(number, text, this.versionOf(number))
  }

  /** The map version that applies to a class. */
  versionOf(number: number): MapVersion {
    return this.#index.classVersions[number] ?? mapVersions.none
  }

  [Symbol.dispose](): void {
    this.#index[Symbol.dispose]()
  }

  /** The classes whose names have the same hash as `name`. Some of them may have another name. */
  #findByHash({ hashes, classes }: HashTable, name: string): ClassMapping[] {
    const hash = hashText(name)
    const found: ClassMapping[] = []
    for (let at = findHash(hashes, hash); hashes[at] === hash && found.length < maxNamesakes; at++) {
      const mapping = this.#readClass(classes[at] ?? outOfRange())
      if (mapping) found.push(mapping)
    }
    return found
  }

  #readClass(number: number): ClassMapping | undefined {
    const cached = this.#classCache.get(number)
    if (cached) return cached
    const mapping = parseClassMapping(number, this.readText(number), this.versionOf(number))
    return mapping && this.#classCache.add(number, mapping)
  }
}
