/** Files that are small to send and costly to read, as docs/ARCHITECTURE.md says that nobody can hold up the others. */
import { writeApk, writeIpa, writeZip } from '@fairlead/binary/fixture'

const reportBytes = 16 * 2 ** 20 - 100

/** Crash reports of 16 MiB that would be millions of objects if they were not counted first. */
export function writeHostileReports(): Buffer[] {
  return [
    `Binary Images:\n${'\n'.repeat(reportBytes - 15)}`,
    `{"bug_type":"309"}\n{"threads":[${'{},'.repeat(reportBytes / 3 - 20)}{}]}`,
    `{"bug_type":"309"}\n{"usedImages":[${'{},'.repeat(reportBytes / 3 - 20)}{}]}`,
    `Last Exception Backtrace:\n${`${'0x1 '.repeat(20)}\n`.repeat(reportBytes / 81 - 2)}`,
    `Thread 0 Crashed:\n${'0   Shop   0x104d48130 0x104d48000 + 304\n'.repeat(reportBytes / 42)}`,
  ].map((text) => Buffer.from(text))
}

/** Release notes of 64 KiB that use one long reference link thousands of times. */
export function writeHostileNotes(): string {
  const address = `https://example.com/${'x'.repeat(32_000)}`
  return `[a]: ${address}\n\n${'[a]'.repeat(10_900)}`
}

/** A small APK whose manifest requests thousands of permissions of control characters. */
export function writeHostileApk(versionCode: number): Buffer {
  const permissions = Array.from({ length: 4100 }, (_, index) => `${index}.${'\u0001'.repeat(990)}`)
  return writeApk({ packageName: 'com.example.attack', versionCode, permissions })
}

/** A fat Mach-O file whose only slice lies behind its header and consists of zeros. */
function writeFatZeros(bytes: number): Buffer {
  const file = Buffer.alloc(bytes)
  for (const [index, value] of [0xcafebabe, 1, 0x0100000c, 0, bytes - 4096, 4096, 14].entries()) {
    file.writeUInt32BE(value, index * 4)
  }
  return file
}

/** An IPA with libraries that inflate to `megabytes` each; the slice of each is said to lie at its end. */
export function writeHostileIpa(megabytes: number): Buffer {
  const data = writeFatZeros(megabytes * 2 ** 20)
  data.writeUInt32BE(data.length - 4096, 16)
  const files = [0, 1, 2, 3].map((index) => ({ name: `Payload/Sample.app/x${index}.dylib`, data, deflate: true }))
  return writeIpa({ bundleIdentifier: 'com.example.attack', files })
}

/** A zip of dSYMs whose debug files inflate to `megabytes` each. */
export function writeHostileDsyms(megabytes: number): Buffer {
  const data = writeFatZeros(megabytes * 2 ** 20)
  const inside = (name: string) => `${name}.dSYM/Contents/Resources/DWARF/${name}`
  return writeZip([0, 1, 2, 3].map((index) => ({ name: inside(`a${index}`), data, deflate: true })))
}
