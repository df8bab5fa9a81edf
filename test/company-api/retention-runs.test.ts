import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Db, openDatabase } from '../../apps/server/src/db/open.ts'
import { createApplication, uploadApk } from '../../apps/server/src/testing/upload.ts'
import { hasFields, startWalk, type Walk } from './walk.ts'

const day = 24 * 60 * 60 * 1000

describe('The API of retention runs', () => {
  let walk: Walk
  let db: Db
  before(async () => {
    walk = await startWalk()
    const { databaseUrl, dataDir } = walk.server
    db = (await openDatabase({ databaseUrl, dataDir })).db
  })
  after(async () => {
    await db?.destroy()
    await walk?.[Symbol.asyncDispose]()
  })

  const age = (ids: number[], days: number) =>
    db
      .updateTable('builds')
      .set({ uploaded_at: Date.now() - days * day })
      .where('id', 'in', ids)
      .execute()
  let versionCode = 0
  const upload = async (alias: string, branch: string | null) => {
    const headers = branch === null ? {} : { 'X-Service-Branch': branch }
    const apk = { packageName: `com.${alias}`, versionCode: ++versionCode }
    return uploadApk(walk.server, { alias, apk, headers })
  }
  const uploadOld = async (alias: string, branch: string | null, count: number, days = 40): Promise<number[]> => {
    const ids: number[] = []
    for (let made = 0; made < count; made++) ids.push((await upload(alias, branch)).id)
    await age(ids, days)
    return ids
  }
  const preview = async (id: number, json: object) => {
    const shown = await walk.ask(`POST /v1/applications/${id}/retention/preview`, 200, { json })
    const ids: number[] = shown.builds.map((build: { id: number }) => build.id)
    return { ...shown, ids }
  }
  const toRetention = (rules: object[], others: object = {}) => ({
    isEnabled: true,
    rules: rules.map((rule) => ({ maxAgeDays: null, keepNewest: null, ...rule })),
    keepDistributedDays: 90,
    quietBranchDays: null,
    ...others,
  })
  const finish = async (id: number) => {
    for (;;) {
      const run = await walk.ask(`GET /v1/retentionRuns/${id}`, 200)
      if (run.state !== 'running') return run
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  it('take what is over every limit of the first rule that matches the whole branch', async () => {
    const { id } = await createApplication(walk.server, 'rules')
    const main = await uploadOld('rules', 'main', 4)
    await uploadOld('rules', 'Main', 2)
    const release = await uploadOld('rules', 'release/1/x', 3)
    await uploadOld('rules', 'release', 2)
    const none = await uploadOld('rules', null, 3)
    const both = [{ branches: ['main'], maxAgeDays: 30, keepNewest: 2 }]
    const first = await preview(id, toRetention(both))
    assert.deepEqual(first.ids, [main[1], main[0]], 'newest first')
    hasFields(first.builds[0], 'id shortVersion version branch uploadedDate size rule')
    assert.deepEqual([first.candidateCount, first.isCut], [2, false])
    // Ten days old at the time, these two were within their 30 days.
    assert.deepEqual(first.last30Days, { candidateCount: 2, candidateBytes: first.candidateBytes })
    const longer = await preview(id, toRetention([{ branches: ['main'], maxAgeDays: 5, keepNewest: 1 }]))
    assert.deepEqual(
      [longer.candidateCount, longer.last30Days],
      [3, { candidateCount: 0, candidateBytes: 0 }],
      'these would have gone before',
    )
    assert.deepEqual((await preview(id, toRetention([{ branches: ['main'], maxAgeDays: 50, keepNewest: 2 }]))).ids, [])
    assert.deepEqual((await preview(id, toRetention([{ branches: ['main'], maxAgeDays: 30, keepNewest: 9 }]))).ids, [])
    assert.deepEqual((await preview(id, toRetention([{ branches: ['release/*'], maxAgeDays: 30 }]))).ids, [
      release[1],
      release[0],
    ])
    assert.deepEqual((await preview(id, toRetention([{ branches: [''], keepNewest: 1 }]))).ids, [none[1], none[0]])
    assert.deepEqual((await preview(id, toRetention([{ branches: ['mai'], maxAgeDays: 30 }]))).ids, [])
    const stays = [{ branches: ['m*'] }, { branches: ['*'], maxAgeDays: 1, keepNewest: 1 }]
    const { ids } = await preview(id, toRetention(stays))
    assert.ok(
      main.every((one) => !ids.includes(one)),
      'a rule without limits keeps its branches',
    )
    assert.equal(ids.length, 1 + 2 + 1 + 2)
  })

  it('keep what is pinned, recent, the newest of its branch, on a latest link, or distributed', async () => {
    const { id } = await createApplication(walk.server, 'kept')
    const [pinned, latest, distributed, plain, newest] = await uploadOld('kept', 'main', 5)
    const recent = await upload('kept', 'feature')
    const group = await walk.ask('POST /v1/distributionGroups', 201, { json: { name: 'Kept' } })
    await walk.answer(`PUT /v1/builds/${pinned}/pin`, 204, { token: walk.developer })
    for (const [build, when] of [
      [latest, 1],
      [distributed, Date.now() - 10 * day],
    ] as const) {
      const row = { build_id: build ?? 0, group_id: group.id, distributed_at: when }
      await db.insertInto('build_groups').values(row).execute()
    }
    await upload('kept', 'feature')
    const rules = [{ branches: ['*'], maxAgeDays: null, keepNewest: 1 }]
    const shown = await preview(id, toRetention(rules))
    assert.deepEqual(shown.ids, [latest === undefined ? 0 : plain, latest], 'the highest distributed one is the latest')
    assert.deepEqual(shown.kept, { pinned: 1, recent: 1, newestOfBranch: 0, latest: 1, distributed: 0 })
    assert.ok(newest !== undefined && !shown.ids.includes(newest) && !shown.ids.includes(recent.id))
    assert.ok(shown.candidateBytes >= shown.freedBytes)
    const older = { branches: ['*'], maxAgeDays: 30 }
    assert.equal((await preview(id, toRetention([older]))).kept.newestOfBranch, 1)
    const row = { build_id: plain ?? 0, group_id: group.id, distributed_at: Date.now() - 100 * day }
    await db.insertInto('build_groups').values(row).execute()
    const after = await preview(id, toRetention([older]))
    assert.deepEqual(after.kept, { pinned: 1, recent: 0, newestOfBranch: 1, latest: 1, distributed: 1 })
    assert.deepEqual(after.ids, [latest])
    const days = await preview(id, toRetention([older], { keepDistributedDays: 5 }))
    assert.deepEqual([days.ids, days.kept.distributed], [[distributed, latest], 0])
  })

  it('let the last build of a quiet branch go, but never that of the default branch or the newest of all', async () => {
    const { id } = await createApplication(walk.server, 'quiet')
    const [main] = await uploadOld('quiet', 'main', 1)
    const [done] = await uploadOld('quiet', 'feature/done', 1)
    const [busy] = await uploadOld('quiet', 'feature/busy', 1, 3)
    const [newest] = await uploadOld('quiet', 'other', 1)
    await db.updateTable('applications').set({ default_branch: 'main' }).where('id', '=', id).execute()
    const rules = [{ branches: ['*'], maxAgeDays: 2 }]
    assert.deepEqual((await preview(id, toRetention(rules))).ids, [])
    const quiet = await preview(id, toRetention(rules, { quietBranchDays: 7 }))
    assert.deepEqual(quiet.ids, [done])
    assert.equal(quiet.kept.newestOfBranch, [main, busy, newest].length)
  })

  it('list at most 10,000 builds, the newest, and say that there are more', async () => {
    const { id } = await createApplication(walk.server, 'many')
    const [oldest] = await uploadOld('many', 'main', 1)
    const row = await db
      .selectFrom('builds')
      .selectAll()
      .where('id', '=', oldest ?? 0)
      .executeTakeFirstOrThrow()
    const { id: _id, ...values } = row
    const [count, step] = [10_001, 300]
    for (let made = 0; made < count; made += step) {
      const rows = Array.from({ length: Math.min(step, count - made) }, (_, at) => ({
        ...values,
        secret: `many-${made + at}`,
        number: 2 + made + at,
        version: String(2 + made + at),
      }))
      await db.insertInto('builds').values(rows).execute()
    }
    const shown = await preview(id, toRetention([{ branches: ['*'], maxAgeDays: 30 }]))
    assert.deepEqual([shown.candidateCount, shown.builds.length, shown.isCut], [count, 10_000, true])
    assert.equal(shown.candidateBytes, count * shown.builds[0].size)
    assert.deepEqual(
      shown.ids,
      shown.ids.toSorted((one: number, other: number) => other - one),
    )
    assert.ok(!shown.ids.includes(oldest), 'the oldest is cut')
    assert.equal(shown.builds[0].version, String(count), 'the newest stays, as the newest of its branch')
  })

  it('put builds into the trash, from which one or all come back as they were', async () => {
    const { ask, answer, server, developer, viewer } = walk
    const { id } = await createApplication(server, 'trash')
    const ids = await uploadOld('trash', 'main', 3)
    const [first = 0, second = 0] = ids
    const before = await ask(`GET /v1/builds/${first}`, 200)
    const json = toRetention([{ branches: ['main'], maxAgeDays: 30 }])
    await ask(`PUT /v1/applications/${id}/retention`, 200, { json })
    const begun = await ask(`POST /v1/applications/${id}/retention/runs`, 202)
    const run = await finish(begun.id)
    assert.deepEqual(
      [run.state, run.trigger, run.candidateCount, run.trashedCount, run.sparedCount, run.restoredCount],
      ['done', 'hand', 2, 2, 0, 0],
    )
    assert.ok(Math.abs(Date.parse(run.undoUntilDate) - Date.parse(run.finishedDate) - 7 * day) < 60_000)
    const trash = await ask(`GET /v1/applications/${id}/trash`, 200, { token: viewer })
    assert.deepEqual(
      trash.map((build: { id: number; retentionRunId: number }) => [build.id, build.retentionRunId]),
      [
        [second, run.id],
        [first, run.id],
      ],
    )
    hasFields(trash[0], 'trashedDate purgeDate retentionRunId shortVersion isPinned')
    assert.equal(Date.parse(trash[0].purgeDate) - Date.parse(trash[0].trashedDate), 7 * day)
    for (const path of [`/v1/builds/${first}`, `/v1/builds/${first}/testers`, `/v1/builds/${first}/commits`]) {
      assert.equal((await server.call('GET', path)).status, 404, path)
    }
    const gone = await answer(`GET ${new URL(before.installUrl).pathname}`, 410, { token: null })
    assert.equal(gone.json.detail, 'This build was removed by the retention rule of its team')
    await ask(`POST /v1/builds/${first}/restore`, 403, { token: viewer })
    const restored = await ask(`POST /v1/builds/${first}/restore`, 200, { token: developer })
    assert.deepEqual([restored.id, restored.installUrl], [first, before.installUrl])
    await answer(`GET ${new URL(before.installUrl).pathname}`, 200, { token: null, headers: { accept: 'text/html' } })
    await ask(`POST /v1/retentionRuns/${run.id}/undo`, 403, { token: developer })
    const undone = await ask(`POST /v1/retentionRuns/${run.id}/undo`, 200)
    assert.deepEqual([undone.state, undone.restoredCount], ['undone', 2])
    assert.deepEqual(await ask(`GET /v1/applications/${id}/trash`, 200), [])
    assert.deepEqual(await ask(`GET /v1/builds/${first}`, 200), before)
    const { json: events } = await answer('GET /v1/auditEvents?limit=50', 200)
    const actions = new Set(events.map(({ action }: { action: string }) => action))
    for (const action of ['retention.update', 'retention.run', 'retention.undo', 'build.restore', 'build.pin']) {
      assert.ok(actions.has(action), action)
    }
  })

  it('go one at a time, cannot be undone too late, and empty the trash when asked', async () => {
    const { ask, answer, server } = walk
    const { id } = await createApplication(server, 'late')
    const [first = 0] = await uploadOld('late', 'main', 2)
    await ask(`PUT /v1/applications/${id}/retention`, 200, {
      json: toRetention([{ branches: ['main'], maxAgeDays: 30 }]),
    })
    const run = await finish((await ask(`POST /v1/applications/${id}/retention/runs`, 202)).id)
    assert.equal(run.trashedCount, 1)
    await db.updateTable('retention_runs').set({ finished_at: 1 }).where('id', '=', run.id).execute()
    await ask(`POST /v1/retentionRuns/${run.id}/undo`, 410)
    await db.updateTable('retention_runs').set({ state: 'running' }).where('id', '=', run.id).execute()
    await ask(`POST /v1/applications/${id}/retention/runs`, 409)
    await db.updateTable('retention_runs').set({ state: 'done' }).where('id', '=', run.id).execute()
    await answer(`POST /v1/applications/${id}/trash/empty`, 202)
    for (let waited = 0; (await ask(`GET /v1/applications/${id}/trash`, 200)).length > 0; waited++) {
      assert.ok(waited < 200, 'the trash is emptied')
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    assert.equal((await server.call('POST', `/v1/builds/${first}/restore`)).status, 404)
    const [kept] = await ask(`GET /v1/applications/${id}/builds`, 200)
    await answer(`DELETE /v1/builds/${kept.id}`, 204)
    assert.equal((await server.call('POST', `/v1/builds/${kept.id}/restore`)).status, 404, 'a deletion stays final')
  })
})
