/**
 * Symbols and crashes that were made to hurt, sent to a running server. Each gets a typed answer, for at most 5 seconds
 * of processor time and 300 MB more memory than the server has when it is idle, in all of its processes together. The
 * clock is not asked, because tests share the machine. The shared fixtures have 63 such files; some that we make
 * ourselves are sent always.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { deflateSync, gunzipSync, zstdCompressSync } from 'node:zlib'
import { writeZip } from '@fairlead/binary/fixture'
import { ErrorObject } from '@fairlead/contract'
import { listProcesses, readProportionalSize } from '../bench/process-tree.ts'
import { findFixtures } from '../packages/symbols/test/fixtures.ts'
import { ElfType, writeBuildId, writeCompressed, writeElf } from '../packages/symbols/test/write-elf.ts'
import { type ApiAnswer, callApi, createApplication, waitUntil } from './processes/api.ts'
import {
  openTemporaryFolder,
  type ServerProcess,
  startServerProcess,
  type TemporaryFolder,
} from './processes/server-process.ts'

const maxSeconds = 5
const maxMegabytes = 300

type Way = 'symbols' | 'dartmap' | 'crash' | 'symbolicate'

interface HostileFile {
  name: string
  way: Way
  /** A status, or that of any refusal, or that of any answer. */
  expected: number | 'refuse' | 'answer'
  why: string
  read: () => Uint8Array<ArrayBuffer>
}

describe('hostile symbols and crashes', { skip: process.platform !== 'linux', timeout: 600_000 }, () => {
  let folder: TemporaryFolder
  let server: ServerProcess
  let applicationId: number
  let idle: number

  before(async () => {
    folder = await openTemporaryFolder()
    await mkdir(join(folder.path, 'data'))
    server = await startServerProcess({ dataDir: join(folder.path, 'data') })
    applicationId = await createApplication(server.url, 'hostile')
    // The processes that read symbols and crashes belong to a server that is idle, too.
    const library = writeElf([writeBuildId(Buffer.alloc(20, 1)), codeSection])
    assert.equal((await send('symbols', new Uint8Array(library))).status, 201)
    assert.equal((await send('symbolicate', toBytes(soundStack))).status, 200)
    assert.equal((await send('crash', toBytes(soundTombstone))).status, 202)
    await waitForReading()
    idle = measureMemory()
  })
  after(async () => {
    await server?.[Symbol.asyncDispose]()
    await folder?.[Symbol.asyncDispose]()
  })

  function send(way: Way, body: Uint8Array<ArrayBuffer>): Promise<ApiAnswer> {
    const path = `/v1/applications/${applicationId}`
    if (way === 'crash') return callApi(server.url, 'POST', `${path}/crashes`, { body })
    if (way === 'symbolicate') return callApi(server.url, 'POST', `${path}/symbolicate`, { body })
    const debugId = { 'X-Service-Debug-Id': '1c13cc07-03a8-24c1-e932-68ce19322737' }
    const headers = { 'X-Service-Application-Alias': 'hostile', ...(way === 'dartmap' && debugId) }
    return callApi(server.url, 'POST', '/v2/symbolsFiles', { headers, body })
  }

  function waitForReading(): Promise<void> {
    return waitUntil('the crashes are read', async () => {
      const { json } = await callApi(server.url, 'GET', `/v1/applications/${applicationId}/crashIntake`)
      return json.pendingCount === 0
    })
  }

  /** Resident megabytes of all processes of the server. */
  function measureMemory(): number {
    return listProcesses(server.pid).reduce((sum, pid) => sum + readProportionalSize(pid), 0) / 2 ** 20
  }

  for (const file of [...listOwnFiles(), ...listSharedFiles()]) {
    it(`${file.name}, ${file.why}: ${toWord(file.expected)}`, async () => {
      const body = file.read()
      const cpuBefore = readCpuSeconds(server.pid)
      let peak = 0
      const sampler = setInterval(() => (peak = Math.max(peak, measureMemory())), 25)
      try {
        const answer = await send(file.way, body)
        if (answer.status === 202) await waitForReading()
        assert.ok(answer.status < 500, `${answer.status} ${answer.bytes.toString()}`)
        if (file.expected === 'refuse') assert.ok(answer.status >= 400, String(answer.status))
        if (typeof file.expected === 'number') assert.equal(answer.status, file.expected, answer.bytes.toString())
        if (answer.status >= 400) {
          const { httpStatus, title } = ErrorObject.parse(answer.json)
          assert.equal(httpStatus, answer.status)
          assert.notEqual(title, '')
        }
        peak = Math.max(peak, measureMemory())
      } finally {
        clearInterval(sampler)
      }
      const seconds = readCpuSeconds(server.pid) - cpuBefore
      if (process.env['FAIRLEAD_TEST_TIMES'] !== undefined) {
        console.log(`${file.name} ${seconds.toFixed(2)} s, ${Math.round(peak - idle)} MB more`)
      }
      assert.ok(seconds <= maxSeconds, `${seconds.toFixed(2)} s of processor time`)
      assert.ok(
        peak - idle <= maxMegabytes,
        `${Math.round(peak - idle)} MB more than the ${Math.round(idle)} MB of before`,
      )
    })
  }

  it('leave the server alive, and nothing outside of its data folder', async () => {
    assert.equal((await fetch(`${server.url}/healthz`)).status, 200)
    assert.equal((await send('symbolicate', toBytes(soundStack))).status, 200)
    assert.deepEqual(await readdir(folder.path), ['data'])
    const names = readdirSync(join(folder.path, 'data'), { recursive: true }).map(String)
    assert.deepEqual(
      names.filter((name) => /evil|passwd|slipped/.test(name)),
      [],
    )
  })
})

function toWord(expected: HostileFile['expected']): string {
  if (typeof expected === 'number') return `answered with ${expected}`
  return expected === 'refuse' ? 'refused by name' : 'answered'
}

/** Seconds of processor time that a process and those that it started have used, ended ones included. */
function readCpuSeconds(pid: number): number {
  return listProcesses(pid)
    .map((one) => {
      const stat = readFileSync(`/proc/${one}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0) / 100
    })
    .reduce((sum, seconds) => sum + seconds, 0)
}

function toBytes(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

const codeSection = { name: '.text', type: ElfType.progBits, flags: 6, address: 0x1000, bytes: Buffer.alloc(64, 0x90) }

const soundStack = 'TypeError: x is not a function\n    at pay (app:///main.js:1:20)\n    at app:///main.js:1:40\n'

const soundTombstone = [
  '*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***',
  "Build fingerprint: 'google/x/x:15/A/1:user/release-keys'",
  "ABI: 'x86_64'",
  'pid: 4242, tid: 4242, name: main  >>> org.tarn.shop <<<',
  'signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0000000000000000',
  'backtrace:',
  '      #00 pc 0000000000001010  /data/app/libshop.so (BuildId: 0101010101010101010101010101010101010101)',
  '',
].join('\n')

function listOwnFiles(): HostileFile[] {
  const elf = (id: number, ...sections: Parameters<typeof writeElf>[0]) =>
    new Uint8Array(writeElf([writeBuildId(Buffer.alloc(20, id)), codeSection, ...sections]))
  const map = (value: object) => toBytes(JSON.stringify({ version: 3, ...value }))
  const one = { sources: ['a.ts'], names: [], mappings: 'AAAA' }
  const files: [name: string, way: Way, expected: HostileFile['expected'], why: string, read: HostileFile['read']][] = [
    [
      'own-claims-100-gb.so',
      'symbols',
      201,
      'a compressed section that claims 100 GB',
      () => elf(2, writeCompressed('.debug_info', 1, 100n * 2n ** 30n, deflateSync(Buffer.alloc(1000)))),
    ],
    [
      'own-bomb.so',
      'symbols',
      201,
      'half a gigabyte of zeros as debug entries',
      () => {
        const zeros = zstdCompressSync(Buffer.alloc(2 ** 29))
        return elf(3, writeCompressed('.debug_info', 2, 2n ** 29n, zeros), {
          name: '.debug_abbrev',
          type: ElfType.progBits,
          bytes: Buffer.alloc(4),
        })
      },
    ],
    [
      'own-sections-outside.so',
      'symbols',
      422,
      'a table of sections behind the end of the file',
      () => {
        const bytes = elf(4)
        Buffer.from(bytes.buffer).writeBigUInt64LE(2n ** 63n, 40)
        return bytes
      },
    ],
    ['own-cut.so', 'symbols', 422, 'the first half of a library', () => elf(5).slice(0, 200)],
    [
      'own-deep.map',
      'symbols',
      422,
      'sections that are nested 5,000 deep',
      () => {
        const open = '{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":'.repeat(5000)
        return toBytes(`${open}${JSON.stringify({ version: 3, ...one })}${'}]}'.repeat(5000)}`)
      },
    ],
    ['own-lines.map', 'symbols', 201, '20 million lines', () => map({ ...one, mappings: ';'.repeat(2e7) })],
    [
      'own-url.map',
      'symbols',
      422,
      'a section that names a URL',
      () => map({ sections: [{ offset: { line: 0, column: 0 }, url: 'http://127.0.0.1:1/a.map' }] }),
    ],
    ['own-version.map', 'symbols', 422, 'version 2', () => map({ ...one, version: 2 })],
    [
      'own-slip.zip',
      'symbols',
      201,
      'paths that climb out of their folder',
      () => new Uint8Array(writeZip([{ name: '../../slipped.js.map', data: Buffer.from(map(one)) }])),
    ],
    ['own-odd.json', 'dartmap', 422, 'an odd count of names', () => toBytes('["a","b","c"]')],
    [
      'own-endless.pb',
      'crash',
      422,
      'a number of Protocol Buffers that does not end',
      () => new Uint8Array(Buffer.concat([Buffer.from('0801120378797a', 'hex'), Buffer.alloc(100_000, 0xff)])),
    ],
    [
      'own-digits.txt',
      'symbolicate',
      422,
      'columns of 400 digits in 10,000 frames',
      () => toBytes(`Error: x\n${`    at a (app.js:1:${'9'.repeat(400)})\n`.repeat(10_000)}`),
    ],
  ]
  return files.map(([name, way, expected, why, read]) => ({ name, way, expected, why, read }))
}

function listSharedFiles(): HostileFile[] {
  const fixtures = findFixtures('native')
  if (fixtures === undefined) return []
  const hostile = join(fixtures, 'hostile')
  const lines = readFileSync(join(hostile, 'MANIFEST.tsv'), 'utf8').trim().split('\n').slice(1)
  return lines.map((line) => {
    const [name = '', how = '', expected = '', why = ''] = line.split('\t')
    const [way = '', packing] = how.split(':')
    assert.ok(way === 'symbols' || way === 'dartmap' || way === 'crash' || way === 'symbolicate', how)
    assert.ok(expected === 'refuse' || expected === 'answer', expected)
    const read = () => {
      const bytes = readFileSync(join(hostile, name))
      return new Uint8Array(packing === 'gzip' ? gunzipSync(bytes) : bytes)
    }
    return { name, way, expected, why, read }
  })
}
