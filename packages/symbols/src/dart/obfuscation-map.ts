/**
 * The obfuscation map of a Dart build (`--save-obfuscation-map`): a JSON array that names each identifier and then its
 * name in the program, `["TideTable", "aa", "State", "ag"]`.
 *
 * Its index is read by positioned reads. Numbers are little-endian:
 *   0 magic "FLDARTMP" (8) · 8 version (4) · 12 number of names N (4)
 *   16 for each name, in the order of the bytes of the obfuscated ones: where its strings begin (4), where the original
 *      one begins (4) · at the end where the strings end (4); counted from the start of the file
 *   then the strings in UTF-8: the obfuscated name, the original one
 */
import { BinaryError, type ByteSource, openFile } from '@fairlead/binary'
import { requireAt } from '@fairlead/invariant'
import { writeFileSync } from 'node:fs'
import { SymbolsError } from '../symbols-error.ts'
import { parseStrings } from './parse-strings.ts'

const magic = Buffer.from('FLDARTMP', 'latin1')
const dartMapVersion = 1
const headerLength = 16
const recordLength = 8
const maxMapBytes = 32 * 2 ** 20
const longestName = 64 * 1024

/** What this map calls the words of a text that are identifiers. */
export interface ObfuscationMap extends Disposable {
  /** The text with each whole word that the map knows as an obfuscated name replaced by the original one. */
  restoreWords(text: string): string
}

/** Reads a map and writes its index to `path`. Throws `malformed-dart-map`, `too-large`. */
export function buildObfuscationMap(source: ByteSource, path: string): { names: number; bytes: number } {
  if (source.size > maxMapBytes) {
    throw new SymbolsError('too-large', `An obfuscation map may have ${maxMapBytes} bytes.`)
  }
  const strings = parseStrings(source.read(0, source.size))
  if (strings.length % 2 !== 0) throw new SymbolsError('malformed-dart-map', 'It has an odd number of names.')
  // Several names may have become one; the first of them answers.
  const originals = new Map<string, string>()
  for (let at = 0; at < strings.length; at += 2) {
    const [original, obfuscated] = [requireAt(strings, at), requireAt(strings, at + 1)]
    if (!originals.has(obfuscated)) originals.set(obfuscated, original)
  }
  const names = [...originals]
    .filter(([obfuscated, original]) => obfuscated !== original && obfuscated !== '')
    .map(([obfuscated, original]) => ({ obfuscated: Buffer.from(obfuscated), original: Buffer.from(original) }))
    .sort((a, b) => Buffer.compare(a.obfuscated, b.obfuscated))
  const table = Buffer.alloc(headerLength + names.length * recordLength + 4)
  magic.copy(table)
  table.writeUInt32LE(dartMapVersion, 8)
  table.writeUInt32LE(names.length, 12)
  let place = table.length
  for (const [index, { obfuscated, original }] of names.entries()) {
    table.writeUInt32LE(place, headerLength + index * recordLength)
    place += obfuscated.length
    table.writeUInt32LE(place, headerLength + index * recordLength + 4)
    place += original.length
  }
  table.writeUInt32LE(place, table.length - 4)
  writeFileSync(path, Buffer.concat([table, ...names.flatMap(({ obfuscated, original }) => [obfuscated, original])]))
  return { names: names.length, bytes: place }
}

/** Opens an index. Throws `unreadable`, `malformed-lookup`, `outdated-lookup`. */
export function openObfuscationMap(path: string): ObfuscationMap {
  let source: ByteSource
  try {
    source = openFile(path)
  } catch (cause) {
    throw new SymbolsError('unreadable', cause instanceof BinaryError ? cause.detail : '', { cause })
  }
  try {
    const count = readCount(source)
    return {
      restoreWords: (text) => text.replaceAll(/[\w$]+/g, (word) => find(source, count, word) ?? word),
      [Symbol.dispose]: () => source[Symbol.dispose](),
    }
  } catch (error) {
    source[Symbol.dispose]()
    throw error
  }
}

function readCount(source: ByteSource): number {
  const header = source.size < headerLength ? undefined : source.read(0, headerLength)
  if (!header?.subarray(0, magic.length).equals(magic)) throw damaged('It does not start with its magic.')
  const version = header.readUInt32LE(8)
  if (version !== dartMapVersion) throw new SymbolsError('outdated-lookup', `It is of version ${version}.`)
  const count = header.readUInt32LE(12)
  if (headerLength + count * recordLength + 4 > source.size) throw damaged('It is shorter than its table.')
  return count
}

function find(source: ByteSource, count: number, word: string): string | undefined {
  const wanted = Buffer.from(word)
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    const record = source.read(headerLength + middle * recordLength, recordLength + 4)
    const [start, split, end] = [record.readUInt32LE(0), record.readUInt32LE(4), record.readUInt32LE(8)]
    if (start > split || split > end || end > source.size || end - start > 2 * longestName) throw damaged()
    const order = Buffer.compare(source.read(start, split - start), wanted)
    if (order === 0) return source.read(split, end - split).toString()
    if (order < 0) low = middle + 1
    else high = middle
  }
  return undefined
}

function damaged(detail = 'A name lies outside of the file.'): SymbolsError {
  return new SymbolsError('malformed-lookup', detail)
}
