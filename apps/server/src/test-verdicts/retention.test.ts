import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { pino } from 'pino'
import { openDiskReserve } from '../blobs/disk-reserve.ts'
import { openFileStore } from '../blobs/file-store.ts'
import { openStaging } from '../blobs/staging.ts'
import { openDatabase } from '../db/open.ts'
import { startServer } from '../testing/start-server.ts'
import { completeRun, uploadReport } from '../testing/test-reports.ts'
import { createApplication } from '../testing/upload.ts'
import { deleteOldTestResults } from './retention.ts'

const day = 24 * 60 * 60 * 1000
const attach = (text: string) =>
  `<system-out>[[ATTACHMENT|data:text/plain;base64,${Buffer.from(text).toString('base64')}]]</system-out>`
const report =
  `<testsuite name="s"><testcase name="good" classname="A">${attach('of good')}</testcase>` +
  `<testcase name="bad" classname="A"><failure message="x">text</failure>${attach('of bad')}</testcase></testsuite>`

describe('a run that grows old', async () => {
  const server = await startServer()
  const { db } = await openDatabase({ databaseUrl: server.databaseUrl, dataDir: server.dataDir })
  after(async () => {
    await db.destroy()
    await server[Symbol.asyncDispose]()
  })
  const store = await openFileStore(join(server.dataDir, 'blobs'))
  const staging = await openStaging(join(server.dataDir, 'staging-of-chores'))
  const ballastPath = join(server.dataDir, 'ballast-of-chores')
  const reserve = await openDiskReserve({ folder: server.dataDir, ballastPath, bytes: 0 })
  const blobs = { ...store, staging, delivery: { kind: 'server' } as const, reserve }
  const context = { db, blobs, log: pino({ level: 'silent' }) }
  await createApplication(server, 'shop')
  const { run } = await uploadReport(server, report, { key: 'k', commit: 'c1' })
  await completeRun(server, run.id)
  const age = (days: number) => deleteOldTestResults(context, Date.now() + days * day, new AbortController().signal)
  const countBlobs = async () => (await db.selectFrom('blobs').select('id').execute()).length
  const listNames = async () => {
    const rows = await db
      .selectFrom('test_attachments')
      .innerJoin('tests', 'tests.id', 'test_attachments.test_id')
      .select('tests.name')
      .execute()
    return rows.map(({ name }) => name).toSorted()
  }

  it('loses attachments of passed cases, then all attachments, then its results, and keeps its verdict', async () => {
    assert.equal(await countBlobs(), 4)
    assert.equal(await age(13), 0)
    assert.deepEqual(await listNames(), ['bad', 'good'])
    assert.equal(await age(15), 1)
    assert.equal(await age(15), 0)
    assert.deepEqual(await listNames(), ['bad'])
    assert.equal(await countBlobs(), 3)
    assert.equal(await age(91), 1)
    assert.deepEqual(await listNames(), [])
    assert.equal((await server.call('GET', `/v1/testRuns/${run.id}/results`)).json.length, 2)
    assert.equal(await age(181), 1)
    assert.deepEqual((await server.call('GET', `/v1/testRuns/${run.id}/results`)).json, [])
    assert.equal(await countBlobs(), 0)
    const kept = await server.call('GET', `/v1/testRuns/${run.id}`)
    assert.deepEqual([kept.json.counts.cases, kept.json.result], [2, 'fail'])
    assert.equal((await server.call('GET', `/v1/testRuns/${run.id}/verdict`)).json.counts.new, 1)
    const days = await db.selectFrom('test_days').selectAll().execute()
    assert.equal(days.length, 2)
  })

  it('still recognizes a second upload of its report', async () => {
    const again = await uploadReport(server, report, { key: 'k', commit: 'c1' })
    assert.equal(again.duplicate, true)
  })
})
