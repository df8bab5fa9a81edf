import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { askWhileStopped, canStopProcesses } from '@fairlead/workers/testing'
import { createLogReader } from '../index.ts'

const log = '2026-11-22T04:00:00Z starts\n'

describe('a log reader', () => {
  it('reads a log in a process', async () => {
    await using reader = createLogReader()
    const read = await reader.readLog({ text: log }, 2026)
    assert.deepEqual(read?.entries, [
      { at: Date.parse('2026-11-22T04:00:00Z'), kind: 'log', isError: false, text: 'starts' },
    ])
    assert.equal(await reader.readLog({ text: 'no times\n' }, 2026), undefined)
  })

  it(
    'does not lose a log on a machine so busy that its process is not run',
    { skip: !canStopProcesses },
    async (context) => {
      await using reader = createLogReader()
      const read = await askWhileStopped(context, 60_000, () => reader.readLog({ text: log }, 2026))
      assert.equal(read?.entries.length, 1)
      await using other = createLogReader()
      const late = askWhileStopped(context, 120_000, () => other.readLog({ text: log }, 2026))
      await assert.rejects(late, { code: 'timeout' })
    },
  )

  it('ends a log that takes too much memory, and reads the next one', async () => {
    await using reader = createLogReader({ timeoutMs: 60_000, maxMemoryMb: 32 })
    await assert.rejects(reader.readLog({ text: `{"log":{"entries":[${'[],'.repeat(2_000_000)}[]]}}` }, 2026), {
      name: 'ReportsError',
      code: 'out-of-memory',
    })
    assert.equal((await reader.readLog({ text: log }, 2026))?.entries.length, 1)
  })
})
