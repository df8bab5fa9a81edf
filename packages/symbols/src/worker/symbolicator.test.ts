import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { askWhileStopped, canStopProcesses } from '@fairlead/workers/testing'
import { createSymbolicator, type Symbolicator, SymbolsError } from '../index.ts'
import { readSymbols } from '../read-symbols.ts'
import { hostileAndroidReports, hostileAppleReports } from '../../test/hostile-reports.ts'
import { sampleUuid, writeSampleImage } from '../../test/sample-app.ts'
import { createFolder } from '../../test/temporary-folder.ts'

const base = 0x104d48000
const crash = `Incident Identifier: 1
Code Type: ARM-64

Thread 0 Crashed:
0   Shop   0x${(base + 0x130).toString(16)} 0x104d48000 + 304

Binary Images:
0x104d48000 - 0x104d67fff Shop arm64 <${sampleUuid}> /app/Shop
`
const trace = 'java.lang.Error: x\n\tat a.a.a(r8-map-id-7bd0aa1:1)\n'
const apple = { platform: 'apple', turnKey: '1' } as const
const android = { platform: 'android', turnKey: '1' } as const

/** Reads a report without any symbols. Returns the code of the error, or the number of frames. */
async function readAlone(symbolicator: Symbolicator, text: string, options: typeof apple | typeof android) {
  try {
    await using inspected = await symbolicator.inspect(text, options)
    const { threads } = await inspected.resolve({})
    return threads.reduce((count, { frames }) => count + frames.length, 0)
  } catch (error) {
    if (error instanceof SymbolsError) return error.code
    throw error
  }
}

describe('a symbolicator', () => {
  it('lists the symbols that a report needs, then resolves it with them', async () => {
    using folder = createFolder()
    const index = await readSymbols(folder.write('image', writeSampleImage()), folder.path)
    const lookupFile = index.kind === 'dsym' ? (index.images[0]?.lookupFile ?? '') : ''
    await using symbolicator = createSymbolicator()
    await using inspected = await symbolicator.inspect(crash, apple)
    assert.deepEqual(inspected.contents, {
      kind: 'apple',
      images: [{ name: 'Shop', uuid: sampleUuid, architecture: 'arm64', codeId: null }],
      mapId: null,
    })
    const report = await inspected.resolve({ lookupFiles: { [sampleUuid.toLowerCase()]: lookupFile } })
    assert.equal(report.threads[0]?.frames[2]?.function, 'Cart::total()')
    await assert.rejects(inspected.resolve({}), /resolved or disposed of before/)
  })

  it('gives the same answer for bytes resolved to JSON as for text resolved to objects', async () => {
    await using symbolicator = createSymbolicator()
    const text = `${crash}Ünicode\n`
    await using asText = await symbolicator.inspect(text, apple)
    const { usedImages: _images, usedMappings: _mappings, ...expected } = await asText.resolve({})
    const bytes = new TextEncoder().encode(text)
    await using asBytes = await symbolicator.inspect(bytes, apple)
    const written = await asBytes.resolveToJson({})
    assert.deepEqual(JSON.parse(Buffer.concat(written.json).toString()), expected)
    assert.deepEqual([written.usedLookupFiles, written.usedMappings], [[], []])
  })

  it('takes a large report in pieces, and gives its JSON in pieces, without those of the report before', async () => {
    await using symbolicator = createSymbolicator()
    const text = `${crash}${'Ünicode '.repeat(2 ** 19)}\n`
    await using asText = await symbolicator.inspect(text, apple)
    const { usedImages: _images, usedMappings: _mappings, ...expected } = await asText.resolve({})
    const bytes = new TextEncoder().encode(text)
    const pieces = [bytes.subarray(0, 7), bytes.subarray(7, 3_000_000), bytes.subarray(3_000_000)]
    for (const whole of [bytes, pieces]) {
      await using forgotten = await symbolicator.inspect(whole, apple)
      assert.equal(forgotten.contents.images.length, 1)
      await forgotten[Symbol.asyncDispose]()
      await using inspected = await symbolicator.inspect(whole, apple)
      const { json } = await inspected.resolveToJson({})
      assert.ok(json.length > 4 && json.every(({ length }) => length <= 2 ** 20))
      assert.deepEqual(JSON.parse(Buffer.concat(json).toString()), expected)
    }
    assert.equal(await readAlone(symbolicator, crash, apple), 1)
  })

  it('reads an Android trace with the mapping that its caller finds by its map id', async () => {
    using folder = createFolder()
    const mapping = '# pg_map_id: 7bd0aa1\ncom.example.Cart -> a.a:\n    1:2:void total():10:11 -> a\n'
    const index = await readSymbols(folder.write('mapping.txt', mapping), folder.path)
    const mappingFile = index.kind === 'proguard' ? index.mappingFile : ''
    await using symbolicator = createSymbolicator()
    await using inspected = await symbolicator.inspect(trace, android)
    assert.equal(inspected.contents.mapId, '7bd0aa1')
    const report = await inspected.resolve({ mappingFiles: [mappingFile] })
    assert.match(report.text, /com\.example\.Cart\.total/)
  })

  it('reads the next report if the one before was never resolved', async () => {
    await using symbolicator = createSymbolicator()
    {
      await using inspected = await symbolicator.inspect(crash, apple)
      assert.equal(inspected.contents.images.length, 1)
    }
    assert.equal(await readAlone(symbolicator, trace, android), 1)
  })

  it('reads a report by what it is, whatever the platform of its application, and refuses other texts', async () => {
    await using symbolicator = createSymbolicator()
    assert.equal(await readAlone(symbolicator, trace, apple), 1)
    assert.equal(await readAlone(symbolicator, crash, android), 1)
    assert.equal(await readAlone(symbolicator, 'Dear support,\nit crashed.\n', android), 'unknown-report')
    assert.equal(await readAlone(symbolicator, '{"level":"error"}\n{"level":"info"}\n', apple), 'unknown-report')
    assert.equal(await readAlone(symbolicator, '{"level":"error"}\nstarted\n', apple), 'unknown-report')
    assert.equal(await readAlone(symbolicator, '{"level":"error"}', apple), 'unknown-report')
  })

  it('is not misled by JSON at the beginning of a log', async () => {
    await using symbolicator = createSymbolicator()
    assert.equal(await readAlone(symbolicator, `{"level":"error"}\n${trace}`, android), 1)
    assert.equal(await readAlone(symbolicator, `{"level":"error"}\n{"level":"info"}\n${crash}`, apple), 1)
  })

  it('ends a report that takes too much memory or time, and reads the next one', async () => {
    await using small = createSymbolicator({ maxMemoryMb: 16 })
    const crowded = `{"bug_type":"309"}\n{"threads":[${'{},'.repeat(400_000)}{}]}`
    assert.equal(await readAlone(small, crowded, apple), 'out-of-memory')
    assert.equal(await readAlone(small, crash, apple), 1)
    await using hasty = createSymbolicator({ timeoutMs: 1 })
    assert.equal(await readAlone(hasty, crowded, apple), 'timeout')
  })

  it(
    'does not lose a report on a machine so busy that its process is not run',
    { skip: !canStopProcesses },
    async (context) => {
      await using symbolicator = createSymbolicator()
      assert.equal(await askWhileStopped(context, 60_000, () => readAlone(symbolicator, crash, apple)), 1)
      await using other = createSymbolicator()
      assert.equal(await askWhileStopped(context, 120_000, () => readAlone(other, crash, apple)), 'timeout')
    },
  )

  it('drops a waiting report and cancels a running one when its caller aborts', async () => {
    await using symbolicator = createSymbolicator()
    const controller = new AbortController()
    const { signal } = controller
    const running = symbolicator.inspect(hostileAppleReports['empty images as JSON'](), { ...apple, signal })
    const waiting = symbolicator.inspect(crash, { ...apple, signal })
    const other = readAlone(symbolicator, trace, { ...android })
    controller.abort(new Error('hung up'))
    await assert.rejects(running, /hung up/)
    await assert.rejects(waiting, /hung up/)
    assert.equal(await other, 1)
  })

  it('refuses reports immediately if its queue is full', async () => {
    await using symbolicator = createSymbolicator({ maxQueuedPerKey: 1 })
    await using inspected = await symbolicator.inspect(crash, apple)
    const waiting = readAlone(symbolicator, crash, apple)
    await assert.rejects(symbolicator.inspect(crash, apple), { name: 'QueueFullError', full: 'key' })
    await inspected.resolve({})
    assert.equal(await waiting, 1)
  })
})

describe('a hostile report', () => {
  /** The code of the error that refuses a report, or the number of frames that its answer has at most. */
  const expected: Record<string, string | number> = {
    'newlines after the head of the binary images': 'too-large',
    'carriage returns after the head of the binary images': 'too-large',
    'empty threads as JSON': 'too-large',
    'empty images as JSON': 'too-large',
    'nested JSON': 'too-large',
    'an exception backtrace of one line': 20_000,
    'an exception backtrace of many lines': 'too-large',
    'an exception backtrace of long lines': 20_000,
    'a long image name that all frames repeat': 20_000,
    newlines: 'too-large',
    frames: 100_000,
    'one word after another': 'unknown-report',
  }
  const symbolicator = createSymbolicator()
  after(() => symbolicator[Symbol.asyncDispose]())

  for (const [reports, options] of [
    [hostileAppleReports, apple],
    [hostileAndroidReports, android],
  ] as const) {
    for (const [name, write] of Object.entries(reports)) {
      it(`for ${options.platform}, with ${name}, is answered within the limits`, async () => {
        const answer = await readAlone(symbolicator, write(), options)
        const limit = expected[name] ?? 0
        if (typeof answer === 'string' || typeof limit === 'string') assert.equal(answer, limit)
        else assert.ok(answer <= limit && answer > limit / 2 === limit > 0, String(answer))
      })
    }
  }
})
