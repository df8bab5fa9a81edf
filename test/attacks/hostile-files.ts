/** Writes files that are small to send and costly to read, to test that no client can hold up the others. */
import { writeApk, writeIpa, writeZip } from '@fairlead/binary/fixture'

const reportBytes = 16 * 2 ** 20 - 100

/** Writes crash reports of 16 MiB that a parser would turn into millions of objects if it did not count them first. */
export function writeHostileReports(): Buffer[] {
  return [
    `Binary Images:\n${'\n'.repeat(reportBytes - 15)}`,
    `{"bug_type":"309"}\n{"threads":[${'{},'.repeat(reportBytes / 3 - 20)}{}]}`,
    `{"bug_type":"309"}\n{"usedImages":[${'{},'.repeat(reportBytes / 3 - 20)}{}]}`,
    `Last Exception Backtrace:\n${`${'0x1 '.repeat(20)}\n`.repeat(reportBytes / 81 - 2)}`,
    `Thread 0 Crashed:\n${'0   Shop   0x104d48130 0x104d48000 + 304\n'.repeat(reportBytes / 42)}`,
  ].map((text) => Buffer.from(text))
}

/** Writes release notes of 64 KiB that use one long reference link thousands of times. */
export function writeHostileNotes(): string {
  const address = `https://example.com/${'x'.repeat(32_000)}`
  return `[a]: ${address}\n\n${'[a]'.repeat(10_900)}`
}

/** Writes a small APK whose manifest requests thousands of permissions with names of control characters. */
export function writeHostileApk(versionCode: number): Buffer {
  const permissions = Array.from({ length: 4100 }, (_, index) => `${index}.${'\u0001'.repeat(990)}`)
  return writeApk({ packageName: 'com.example.attack', versionCode, permissions })
}

/** Writes a fat Mach-O file whose only slice consists of zeros and is at the end of the file. */
function writeFatZeros(bytes: number): Buffer {
  const file = Buffer.alloc(bytes)
  for (const [index, value] of [0xcafebabe, 1, 0x0100000c, 0, bytes - 4096, 4096, 14].entries()) {
    file.writeUInt32BE(value, index * 4)
  }
  return file
}

/** Writes an IPA with libraries that inflate to `megabytes` each; their headers place the slice at the end. */
export function writeHostileIpa(megabytes: number): Buffer {
  const data = writeFatZeros(megabytes * 2 ** 20)
  data.writeUInt32BE(data.length - 4096, 16)
  const files = [0, 1, 2, 3].map((index) => ({ name: `Payload/Sample.app/x${index}.dylib`, data, deflate: true }))
  return writeIpa({ bundleIdentifier: 'com.example.attack', files })
}

/** Writes a zip of dSYMs whose debug files inflate to `megabytes` each. */
export function writeHostileDsyms(megabytes: number): Buffer {
  const data = writeFatZeros(megabytes * 2 ** 20)
  const inside = (name: string) => `${name}.dSYM/Contents/Resources/DWARF/${name}`
  return writeZip([0, 1, 2, 3].map((index) => ({ name: inside(`a${index}`), data, deflate: true })))
}
