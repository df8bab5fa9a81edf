/** Scans the lines of a mapping piece by piece and records where classes begin. */
import { SymbolsError } from '../../symbols-error.ts'
import { hashName } from '../bytes/hash-name.ts'
import { NumberList } from '../bytes/number-list.ts'
import { findClassLine } from '../mapping/class-line.ts'
import { mapVersions } from '../mapping/map-version.ts'
import { findNote, parseNote } from '../mapping/mapping-note.ts'
import { maxLineLength } from '../mapping/member-line.ts'
import { type MappingDescription, type MappingHeader, maxClasses } from './index-format.ts'

const maxWarnings = 100

const newline = 0x0a

const headerKeys: Record<string, keyof MappingHeader> = {
  pg_map_id: 'mapId',
  pg_map_hash: 'mapHash',
  compiler: 'compiler',
  compiler_version: 'compilerVersion',
  min_api: 'minApi',
}

export class ClassScanner {
  readonly starts = new NumberList()
  readonly versions = new NumberList()
  readonly obfuscatedHashes = new NumberList()
  readonly originalHashes = new NumberList()
  readonly #header: { -readonly [Key in keyof MappingHeader]: string } = {}
  readonly #warnings: string[] = []
  readonly #classEnd = Buffer.from(':\n')
  readonly #versionId = Buffer.from('com.android.tools.r8.mapping')
  #version: number = mapVersions.none
  #sawComment = false
  #sawOther = false
  #sawLongLine = false

  get description(): MappingDescription {
    return { header: this.#header, warnings: this.#warnings }
  }

  /** Scans whole lines, each with its newline. `position` is their offset in the text. */
  scan(lines: Buffer, position: number): void {
    let nextVersion = lines.indexOf(this.#versionId)
    let end = -1
    for (let start = 0; start < lines.length; start = end + 1) {
      // Before the first class every line matters; after it, only lines that end like a class line do.
      if (this.starts.length === 0) end = lines.indexOf(newline, start)
      else {
        const colonAt = lines.indexOf(this.#classEnd, start)
        end = colonAt === -1 ? lines.length : colonAt + 1
      }
      while (nextVersion !== -1 && nextVersion < end) {
        const versionEnd = lines.indexOf(newline, nextVersion)
        this.#readVersion(lines.toString('utf8', findLineStart(lines, nextVersion), versionEnd))
        nextVersion = lines.indexOf(this.#versionId, versionEnd)
      }
      if (end === lines.length) return
      if (lines[end - 1] === 0x3a) this.#readClass(lines, findLineStart(lines, end - 1), end, position)
      else if (this.starts.length === 0) this.#readPreamble(lines, start, end)
    }
  }

  /** Records that a line was too long to be scanned. */
  skipLongLine(): void {
    if (!this.#sawLongLine) this.#warnings.push('A line of more than a megabyte was skipped.')
    this.#sawLongLine = true
    this.#sawOther = true
  }

  /** Throws if the file is not a mapping. A file of comments alone is one: nothing was obfuscated in its program. */
  finish(): void {
    if (this.starts.length > 0) return
    if (this.#sawOther) {
      throw new SymbolsError(
        'malformed-mapping',
        'No line names a class and its new name, as in "com.example.App -> a.b:".',
      )
    }
    if (!this.#sawComment) throw new SymbolsError('malformed-mapping', 'The file is empty.')
  }

  #readClass(lines: Buffer, start: number, end: number, position: number): void {
    const line = end - start <= maxLineLength ? findClassLine(lines, start, end) : undefined
    if (!line) {
      this.#sawOther = true
      return
    }
    if (this.starts.length === maxClasses)
      throw new SymbolsError('too-large', `A mapping may have ${maxClasses} classes.`)
    this.starts.push(position + start)
    this.versions.push(this.#version)
    this.originalHashes.push(hashName(lines, line.originalStart, line.originalEnd))
    this.obfuscatedHashes.push(hashName(lines, line.obfuscatedStart, line.obfuscatedEnd))
  }

  #readPreamble(lines: Buffer, start: number, end: number): void {
    if (start === end || end - start > maxLineLength) return
    const line = lines.toString('utf8', start, end).trim()
    if (!line.startsWith('#')) {
      this.#sawOther = true
      return
    }
    this.#sawComment = true
    const colon = line.indexOf(':')
    const key = headerKeys[line.slice(1, colon).trim()]
    if (colon !== -1 && key)
      this.#header[key] ??= line
        .slice(colon + 1)
        .trim()
        .slice(0, 200)
  }

  #readVersion(line: string): void {
    const json = findNote(line)
    const note = json === undefined ? undefined : parseNote(json, this.#version)
    if (typeof note !== 'object' || note.kind !== 'version') return
    this.#version = note.version
    this.#header.mapVersion ??= note.name
    if (note.version !== mapVersions.unknown || this.#warnings.length === maxWarnings) return
    this.#warnings.push(`Map version '${note.name.slice(0, 40)}' is unknown; the mapping is read as version 2.2.`)
  }
}

/** The start of the line that contains an offset. */
function findLineStart(lines: Buffer, place: number): number {
  let start = place
  while (start > 0 && lines[start - 1] !== newline) start--
  return start
}
