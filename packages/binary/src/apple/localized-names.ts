import { BinaryError } from '../binary-error.ts'
import { clipText } from '../identifier.ts'
import { isPlistDictionary, parsePlist, type PlistDictionary } from '../plist/plist.ts'
import { parseStringsFile } from '../plist/strings-file.ts'
import type { ZipEntry } from '../zip/directory.ts'
import type { ZipArchive } from '../zip/zip.ts'

const maxStringsBytes = 1024 * 1024
const maxLocales = 500

/** The app's name by locale, from `<locale>.lproj/InfoPlist.strings`. */
export function readLocalizedNames(ipa: ZipArchive, folder: string, warnings: string[]): Record<string, string> {
  const names: [string, string][] = []
  for (const entry of ipa.entries) {
    if (names.length >= maxLocales) break
    if (!entry.name.startsWith(folder)) continue
    const [, locale] = /^([A-Za-z0-9_-]{2,40})\.lproj\/InfoPlist\.strings$/.exec(entry.name.slice(folder.length)) ?? []
    if (locale === undefined || locale === 'Base') continue
    try {
      const strings = readStrings(ipa, entry)
      const name = strings['CFBundleDisplayName'] ?? strings['CFBundleName']
      if (typeof name === 'string' && name !== '') names.push([locale.replaceAll('_', '-'), clipText(name)])
    } catch (error) {
      if (!(error instanceof BinaryError)) throw error
      warnings.push(`The translation ${locale} could not be read: ${error.message}`)
    }
  }
  return Object.fromEntries(names.sort(([a], [b]) => (a < b ? -1 : 1)))
}

function readStrings(ipa: ZipArchive, entry: ZipEntry): PlistDictionary {
  const bytes = ipa.readEntry(entry, maxStringsBytes)
  const isList = bytes.subarray(0, 6).equals(Buffer.from('bplist')) || bytes.toString('latin1', 0, 64).includes('<?xml')
  const strings = isList ? parsePlist(bytes) : parseStringsFile(bytes)
  return isPlistDictionary(strings) ? strings : {}
}
