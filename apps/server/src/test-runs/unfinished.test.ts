import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { openDatabase } from '../db/open.ts'
import { startServer } from '../testing/start-server.ts'
import { uploadReport } from '../testing/test-reports.ts'
import { createApplication } from '../testing/upload.ts'
import { insertCases } from '../test-results/case-store.ts'
import { insertReport } from '../test-results/report-store.ts'
import { lockRunOfKey } from '../test-results/run-store.ts'
import { sweepUnpublishedReports } from '../test-results/sweep.ts'
import { toJsonText } from '../db/json-text.ts'

describe('a report whose process died while its rows were written', async () => {
  const server = await startServer()
  const { db } = await openDatabase({ databaseUrl: server.databaseUrl, dataDir: server.dataDir })
  after(async () => {
    await db.destroy()
    await server[Symbol.asyncDispose]()
  })
  const { id: applicationId } = await createApplication(server, 'shop')
  const attempts = [{ outcome: 'failed' as const, durationMs: 1, failures: [] }]
  const one = { suite: 's', class: 'C', name: 'half', parameters: null, file: null, environment: null, case: 1 }
  const rest = { outcome: 'failed' as const, isFlaky: false, durationMs: 1, attempts, retryMark: null }
  const half = { ...one, ...rest, identity: '0'.repeat(32), outputs: [], attachments: [], source: '' }

  /** Writes the rows that a large report has before it is published. */
  const begin = async (key: string) => {
    const now = Date.now()
    const counts = { cases: 1, passed: 0, failed: 1, skipped: 0, flaky: 0, attempts: 1 }
    const run = await lockRunOfKey(db, {
      workspace_id: 1,
      application_id: applicationId,
      run_key: key,
      branch: null,
      commit_hash: null,
      base_commit: null,
      ci_url: null,
      build_id: null,
      attempt: 1,
      state: 'open',
      shards_expected: null,
      shards_received: toJsonText<number[]>([]),
      base_run_id: null,
      verdict: null,
      created_at: now,
      updated_at: now,
      completed_at: null,
    })
    const summary = { format: 'junit' as const, counts, unlisted: 0, warnings: [], files: [] }
    const marks = { isIncomplete: false, isInfrastructureFailure: false }
    const paths = { casesPath: '', detailsPath: '', suiteOutputs: [], attachments: [], ...marks }
    const headers = { attempt: 1, shard: null }
    const reportId = await insertReport(db, run.id, applicationId, headers, { ...summary, ...paths })
    const owner = { workspaceId: 1, applicationId, runId: run.id, reportId }
    await insertCases(
      db,
      owner,
      new Map(),
      [
        {
          testCase: half,
          group: null,
          productKey: null,
          otherKeys: [],
          assertion: null,
          isOfMachine: false,
          hasTrace: false,
        },
      ],
      false,
    )
    return run.id
  }

  it('is not shown, neither in a run of its own nor in one with other reports', async () => {
    const alone = await begin('alone')
    assert.equal((await server.call('GET', `/v1/testRuns/${alone}`)).status, 404)
    assert.deepEqual((await server.call('GET', `/v1/applications/${applicationId}/testRuns`)).json, [])
    assert.deepEqual((await server.call('GET', `/v1/applications/${applicationId}/tests`)).json, [])
    const { run } = await uploadReport(server, [{ name: 'whole' }], { key: 'shared' })
    assert.equal(await begin('shared'), run.id)
    assert.equal((await server.call('GET', `/v1/testRuns/${run.id}`)).json.counts.cases, 1)
    const results = await server.call('GET', `/v1/testRuns/${run.id}/results`)
    assert.deepEqual(
      results.json.map(({ name }: { name: string }) => name),
      ['whole'],
    )
  })

  it('is deleted by the daily chores, and the rest of its run stays', async () => {
    assert.equal(await sweepUnpublishedReports(db, Date.now() + 1), 2)
    const rows = await db.selectFrom('test_results').selectAll().execute()
    assert.equal(rows.length, 1)
    const runs = await db.selectFrom('test_runs').select('run_key').execute()
    assert.deepEqual(
      runs.map(({ run_key }) => run_key),
      ['shared'],
    )
  })
})
