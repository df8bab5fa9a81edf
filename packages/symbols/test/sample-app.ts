/**
 * An app with two functions, one of which has two calls inlined into it, and a third function that only the symbol
 * table knows.
 */
import { writeDwarf } from './write-dwarf.ts'
import { type MachOParts, writeMachO } from './write-mach-o.ts'
import { writeZip } from './write-zip.ts'

export const sampleUuid = '01234567-89AB-CDEF-0123-456789ABCDEF'
export const textAddress = 0x1_0000_0000

export function writeSampleImage(changes: Partial<MachOParts> = {}): Buffer {
  const at = (offset: number) => textAddress + offset
  return writeMachO({
    uuid: sampleUuid.replaceAll('-', ''),
    textAddress,
    textSize: 0x300,
    symbols: [
      { name: '__ZN4Cart5totalEv', address: at(0x100) },
      { name: '_main', address: at(0x180) },
      { name: '_only_in_symbols', address: at(0x200) },
    ],
    debugSections: writeDwarf({
      low: at(0x100),
      high: at(0x200),
      files: ['cart.cpp', 'money.h'],
      functions: [
        {
          name: 'total',
          linkageName: '_ZN4Cart5totalEv',
          low: at(0x100),
          high: at(0x180),
          inlined: [
            {
              name: 'add',
              linkageName: '_ZN5Money3addEi',
              low: at(0x120),
              high: at(0x160),
              callLine: 12,
              callColumn: 9,
              inlined: [{ name: 'round', low: at(0x130), high: at(0x140), callLine: 31, callColumn: 4 }],
            },
          ],
        },
        { name: 'main', low: at(0x180), high: at(0x200) },
      ],
      rows: [
        { address: at(0x100), line: 10, column: 1 },
        { address: at(0x120), line: 30, column: 5, file: 2 },
        { address: at(0x130), line: 40, column: 7, file: 2 },
        { address: at(0x140), line: 32, column: 5, file: 2 },
        { address: at(0x160), line: 14, column: 2 },
        { address: at(0x180), line: 50 },
        { address: at(0x190), line: 0 },
        { address: at(0x1a0), line: 52, column: 3 },
      ],
    }),
    ...changes,
  })
}

export function writeInfoPlist(identifier: string, shortVersion: string, version: string): string {
  const pair = (key: string, value: string) => `<key>${key}</key><string>${value}</string>`
  const pairs = [
    pair('CFBundleIdentifier', identifier),
    pair('CFBundleShortVersionString', shortVersion),
    pair('CFBundleVersion', version),
  ]
  return `<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>${pairs.join('')}</dict></plist>`
}

/** Writes the image in a dSYM in a zip archive, as Xcode does. */
export function writeSampleArchive(prefix = '', bundle = 'Shop.app.dSYM', image = writeSampleImage()): Buffer {
  return writeZip({
    [`${prefix}${bundle}/Contents/Info.plist`]: writeInfoPlist('com.apple.xcode.dsym.com.example.shop', '3.2', '47'),
    [`${prefix}${bundle}/Contents/Resources/DWARF/Shop`]: image,
  })
}
