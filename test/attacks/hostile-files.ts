/** Writes files that are small to send and costly to read, to test that no client can hold up the others. */
import { crc32, deflateSync } from 'node:zlib'
import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
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

/** Writes test reports that take long to store: many tests of new names, and many failures with stacks of their own. */
export function writeHostileTestReports(): Buffer[] {
  const write = (count: number, toCase: (index: number) => string) =>
    Buffer.from(
      `<testsuite name="unit">${Array.from({ length: count }, (_, index) => toCase(index)).join('')}</testsuite>`,
    )
  const failure = (index: number) => `<failure message="expected ${index}">at a.B${index}.c(D.java:${index})</failure>`
  return [
    write(20_000, (index) => `<testcase name="c${index}" classname="b"/>`),
    write(30_000, () => '<testcase name="a" classname="b"/>'),
    write(4000, (index) => `<testcase name="f${index}" classname="b">${failure(index)}</testcase>`),
  ]
}

/** Writes result bundles of Xcode whose database computes without an end, is very large or is none. */
export function writeHostileBundles(): Buffer[] {
  const endless = 'with recursive n(i) as (select 1 union all select i + 1 from n)'
  const names = ['Testables', 'TestableRuns', 'TestSuites', 'TestSuiteRuns', 'TestCases', 'TestCaseRuns']
  const views = names.map((name) => `create view ${name} as ${endless} select i as name, i as identifier from n;`)
  const tables = names.map((name) => `create table ${name} (name text, x generated always as (hex(zeroblob(4e8))));`)
  const many = `create table TestCases (name text); ${endless} insert into TestCases select i from n limit 200000;`
  const databases = [views.join(''), tables.join(''), many].map(writeDatabase)
  const whole = databases.at(-1) ?? Buffer.alloc(0)
  const broken = Buffer.from(whole)
  randomBytes(4096).copy(broken, 4096)
  return [...databases, broken, whole.subarray(0, 5000)].map((data) =>
    writeZip([
      { name: 'T.xcresult/Info.plist', data: Buffer.from('<plist/>') },
      { name: 'T.xcresult/database.sqlite3', data, deflate: true },
    ]),
  )
}

function writeDatabase(script: string): Buffer {
  const path = join(tmpdir(), `fairlead-hostile-${randomBytes(8).toString('hex')}.sqlite3`)
  try {
    using database = new DatabaseSync(path)
    database.exec(script)
    return readFileSync(path)
  } finally {
    rmSync(path, { force: true })
  }
}

/** Writes a form of feedback with a picture that announces more pixels than anybody can hold. */
export function writeHostileFeedback(boundary: string): Buffer {
  const header = Buffer.alloc(25)
  header.writeUInt32BE(13, 0)
  header.write('IHDR', 4, 'latin1')
  header.writeUInt32BE(60_000, 8)
  header.writeUInt32BE(60_000, 12)
  header.set([8, 2, 0, 0, 0], 16)
  header.writeUInt32BE(crc32(header.subarray(4, 21)), 21)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const part = (fields: string) => `--${boundary}\r\nContent-Disposition: form-data; ${fields}\r\n\r\n`
  return Buffer.concat([
    Buffer.from(`${part('name="text"')}The chart is empty\r\n${part('name="pictures"; filename="a.png"')}`),
    signature,
    header,
    deflateSync(Buffer.alloc(9 * 2 ** 20)),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
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
