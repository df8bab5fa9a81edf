import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { suite, testcase } from '../../test/read-upload.ts'
import { openTemporaryFolder } from '../../test/temporary-folder.ts'
import { QueueFullError } from '@fairlead/workers'
import { askWhileStopped, canStopProcesses } from '@fairlead/workers/testing'
import { createReportReader, listCases } from '../index.ts'

const small = suite(testcase('one'))
const large = suite(testcase('x', '<system-out>a b</system-out>').repeat(100_000))

describe('a report reader', () => {
  it('reads in a process what readReports reads, and rejects with the same errors', async () => {
    using folder = openTemporaryFolder()
    await using reader = createReportReader()
    const { counts, casesPath } = await reader.readReports(folder.write('a.xml', small), outFolder(folder.path, 'a'))
    assert.equal(counts.cases, 1)
    assert.equal([...listCases(casesPath)].flat()[0]?.name, 'one')
    await assert.rejects(reader.readReports(folder.write('b.xml', '<testsuite>\n<a'), outFolder(folder.path, 'b')), {
      name: 'ReportsError',
      code: 'malformed',
      line: 2,
    })
  })

  it('ends an upload that takes too long, and reads the next one', async () => {
    using folder = openTemporaryFolder()
    await using reader = createReportReader()
    const out = outFolder(folder.path, 'slow')
    await assert.rejects(reader.readReports(folder.write('large.xml', large), out, { timeoutMs: 1 }), {
      code: 'timeout',
    })
    rmSync(out, { recursive: true })
    const next = await reader.readReports(folder.write('a.xml', small), outFolder(folder.path, 'a'))
    assert.equal(next.counts.cases, 1)
  })

  it(
    'does not lose an upload on a machine so busy that its process is not run',
    { skip: !canStopProcesses },
    async (context) => {
      using folder = openTemporaryFolder()
      const path = folder.write('a.xml', small)
      {
        await using reader = createReportReader()
        const out = outFolder(folder.path, 'a')
        const { counts } = await askWhileStopped(context, 300_000, () => reader.readReports(path, out))
        assert.equal(counts.cases, 1)
      }
      await using reader = createReportReader()
      const late = askWhileStopped(context, 600_000, () => reader.readReports(path, outFolder(folder.path, 'b')))
      await assert.rejects(late, { code: 'timeout' })
    },
  )

  it('ends an upload that takes too much memory, and reads the next one', async () => {
    using folder = openTemporaryFolder()
    await using reader = createReportReader({ maxMemoryMb: 14 })
    const tests = Array.from({ length: 200_000 }, (_, index) => ({ name: `n${index}`, status: 'passed' }))
    const path = folder.write('a.json', JSON.stringify({ results: { tests } }))
    await assert.rejects(reader.readReports(path, outFolder(folder.path, 'a')), { code: 'out-of-memory' })
    const next = await reader.readReports(folder.write('b.xml', small), outFolder(folder.path, 'b'))
    assert.equal(next.counts.cases, 1)
  })

  it('stops reading or waiting when its signal is aborted', async () => {
    using folder = openTemporaryFolder()
    await using reader = createReportReader()
    const controller = new AbortController()
    const { signal } = controller
    const path = folder.write('large.xml', large)
    const running = reader.readReports(path, outFolder(folder.path, 'a'), { signal })
    const waiting = reader.readReports(path, outFolder(folder.path, 'b'), { signal })
    controller.abort(new Error('hung up'))
    await Promise.all([running, waiting].map((one) => assert.rejects(one, /hung up/)))
    assert.deepEqual(readdirSync(join(folder.path, 'b')), [])
    await assert.rejects(reader.readReports(path, outFolder(folder.path, 'c'), { signal }), /hung up/)
  })

  it('alternates between keys, and refuses uploads when the queue is full', async () => {
    using folder = openTemporaryFolder()
    await using reader = createReportReader({ maxQueued: 4 })
    const path = folder.write('a.xml', small)
    const order: string[] = []
    let count = 0
    const read = async (key: string) => {
      await reader.readReports(path, outFolder(folder.path, `${count++}`), { turnKey: key })
      order.push(key)
    }
    const all = [read('a'), read('a'), read('a'), read('a'), read('b')]
    await assert.rejects(read('c'), QueueFullError)
    await Promise.all(all)
    assert.deepEqual(order, ['a', 'a', 'b', 'a', 'a'])
  })
})

function outFolder(path: string, name: string): string {
  mkdirSync(join(path, name))
  return join(path, name)
}
