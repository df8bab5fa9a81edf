import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Build, Retention, RetentionPreview, RetentionRun, RetentionRunBuild } from '@fairlead/contract'
import { type Db, openDatabase } from '../db/open.ts'
import type { Row } from '../db/schema.ts'
import { join } from '../testing/browser.ts'
import { type HookReceiver, startHookReceiver } from '../testing/hook-receiver.ts'
import { openInstallPage } from '../testing/open-install-page.ts'
import { applyPlainly, createRandom, generateHistory, type PlainHistory } from '../testing/plain-retention.ts'
import { startServer, type TestServer } from '../testing/start-server.ts'
import { createApk, createApplication, uploadApk, uploadBytes } from '../testing/upload.ts'

const day = 24 * 60 * 60 * 1000
/** `FAIRLEAD_TEST_HISTORIES=10000` tries as many histories through the API, which takes an hour. */
const historyCount = Number(process.env['FAIRLEAD_TEST_HISTORIES'] ?? 6)
const everything = { isEnabled: true, rules: [{ branches: ['*'], maxAgeDays: 30, keepNewest: null }] }

describe('Retention', () => {
  let server: TestServer
  let db: Db
  let receiver: HookReceiver
  let groups: { id: number }[]

  before(async () => {
    receiver = await startHookReceiver()
    server = await startServer({
      FAIRLEAD_BASE_URL: 'https://builds.example.com',
      FAIRLEAD_HOOKS_ALLOW: receiver.host,
    })
    db = (await openDatabase({ databaseUrl: server.databaseUrl, dataDir: server.dataDir })).db
    groups = []
    for (const name of ['A', 'B', 'C']) {
      groups.push((await server.call('POST', '/v1/distributionGroups', { json: { name } })).json)
    }
  })
  after(async () => {
    await db.destroy()
    await server[Symbol.asyncDispose]()
    await receiver[Symbol.asyncDispose]()
  })

  const save = async (id: number, json: object): Promise<Retention> => {
    const answer = await server.call('PUT', `/v1/applications/${id}/retention`, { json })
    assert.equal(answer.status, 200, answer.text)
    await untilAnnounced()
    return answer.json
  }
  /** The test writes on a connection of its own, which must not wait for a transaction of a job of the same process. */
  const untilAnnounced = async () => {
    for (let waited = 0; waited < 400; waited++) {
      const job = await db.selectFrom('jobs').select('id').where('kind', '=', 'announce-retention').executeTakeFirst()
      if (!job) return
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  const preview = async (id: number, json?: object): Promise<RetentionPreview> => {
    const body = json === undefined ? {} : { json }
    const answer = await server.call('POST', `/v1/applications/${id}/retention/preview`, body)
    assert.equal(answer.status, 200, answer.text)
    return answer.json
  }
  const run = async (id: number): Promise<RetentionRun> => {
    const answer = await server.call('POST', `/v1/applications/${id}/retention/runs`)
    assert.equal(answer.status, 202, answer.text)
    return finished(answer.json.id)
  }
  const finished = async (id: number): Promise<RetentionRun> => {
    for (let waited = 0; waited < 600; waited++) {
      const { json } = await server.call('GET', `/v1/retentionRuns/${id}`)
      if (json.state !== 'running') return json
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error(`the run ${id} does not end`)
  }
  const list = async (path: string): Promise<Build[]> => (await server.call('GET', path)).json
  const age = (ids: number[], days: number) =>
    db
      .updateTable('builds')
      .set({ uploaded_at: Date.now() - days * day })
      .where('id', 'in', ids)
      .execute()
  /** Uploads builds of one branch that are older than the rule of most tests. */
  const uploadOld = async (alias: string, count: number, branch = 'main') => {
    const builds: Build[] = []
    for (let version = 1; version <= count; version++) {
      const headers = { 'X-Service-Branch': branch }
      builds.push(
        await uploadApk(server, { alias, apk: { packageName: `com.${alias}`, versionCode: version }, headers }),
      )
    }
    await age(
      builds.map(({ id }) => id),
      40,
    )
    return builds
  }

  it('takes the builds of the dry run and of a plain reading in a run, and undo brings all back', async () => {
    const random = createRandom(7)
    const { id } = await createApplication(server, 'history')
    const { id: copiedId } = await uploadApk(server, { alias: 'history', apk: { packageName: 'com.history' } })
    const copied = await db.selectFrom('builds').selectAll().where('id', '=', copiedId).executeTakeFirstOrThrow()
    for (let round = 0; round < historyCount; round++) {
      await db.deleteFrom('builds').where('application_id', '=', id).execute()
      const generated = generateHistory(random, historyCount > 6 ? 1 + Math.floor(random() * 40) : 300)
      const history = await insertHistory(copied, generated, round)
      const body = { isEnabled: true, ...history.settings }
      await save(id, body)
      await db.updateTable('applications').set({ default_branch: history.defaultBranch }).where('id', '=', id).execute()
      const { goes, ...kept } = applyPlainly(history)
      const shown = await preview(id)
      assert.deepEqual(
        shown.builds.map((build) => build.id),
        goes.toSorted((a, b) => b - a),
        `the dry run of round ${round}`,
      )
      assert.deepEqual(
        shown.kept,
        Object.fromEntries(Object.entries(kept).map(([name, ids]) => [name, ids.length])),
        `what is kept in round ${round}`,
      )
      const before = await readAll(id)
      const done = await run(id)
      assert.deepEqual(
        [done.state, done.candidateCount, done.trashedCount, done.sparedCount, done.trashedBytes],
        ['done', goes.length, goes.length, 0, shown.candidateBytes],
      )
      const trash = await list(`/v1/applications/${id}/trash`)
      assert.deepEqual(
        trash.map((build) => build.id),
        goes.toSorted((a, b) => b - a),
        `the run of round ${round}`,
      )
      assert.equal((await preview(id)).candidateCount, 0, 'a second run has nothing to do')
      const undone = await server.call('POST', `/v1/retentionRuns/${done.id}/undo`)
      assert.deepEqual([undone.json.state, undone.json.restoredCount], ['undone', goes.length])
      assert.deepEqual(await readAll(id), before, `undo of round ${round}`)
    }
  })

  /** Inserts the builds of a history as copies of one that was uploaded, and was removed since. */
  const insertHistory = async (row: Row<'builds'>, history: PlainHistory, round: number): Promise<PlainHistory> => {
    const now = Date.now()
    const { id: _id, ...copied } = row
    const sorted = history.builds.toSorted((a, b) => a.id - b.id)
    const rows = sorted.map((build) => ({
      ...copied,
      secret: Buffer.from(`${round}-${build.id}`.padEnd(16, '-')).toString('base64url'),
      version: String(build.id),
      source_branch: build.branch,
      uploaded_at: now - build.ageMs,
      pinned_at: build.isPinned ? now : null,
    }))
    const inserted = await db.insertInto('builds').values(rows).returning(['id', 'version']).execute()
    const ids = new Map(inserted.map(({ id, version }) => [Number(version), id]))
    const given = sorted.flatMap(({ id, groups: of }) =>
      of.map(({ groupId, agoMs }) => ({
        build_id: ids.get(id) ?? 0,
        group_id: groups[groupId - 1]?.id ?? 0,
        distributed_at: now - agoMs,
      })),
    )
    if (given.length > 0) await db.insertInto('build_groups').values(given).execute()
    const { blob_id, icon_blob_id, application_id } = row
    const reference_count = history.builds.length
    await db
      .updateTable('blobs')
      .set({ reference_count })
      .where('id', 'in', icon_blob_id === null ? [blob_id] : [blob_id, icon_blob_id])
      .execute()
    await db
      .updateTable('applications')
      .set({ build_count: reference_count })
      .where('id', '=', application_id)
      .execute()
    return {
      ...history,
      // No latest link exists in these histories; served ids are tried by another test.
      servedIds: [],
      builds: history.builds.map((build) => ({ ...build, id: ids.get(build.id) ?? 0 })),
    }
  }

  /** Everything that the database says of an application's builds. */
  const readAll = async (id: number) => {
    const ofApplication = db.selectFrom('builds').select('id').where('application_id', '=', id)
    return {
      application: await db.selectFrom('applications').selectAll().where('id', '=', id).execute(),
      builds: await db.selectFrom('builds').selectAll().where('application_id', '=', id).orderBy('id').execute(),
      groups: await db
        .selectFrom('build_groups')
        .selectAll()
        .where('build_id', 'in', ofApplication)
        .orderBy('build_id')
        .orderBy('group_id')
        .execute(),
      blobs: await db.selectFrom('blobs').selectAll().orderBy('id').execute(),
      listed: (await server.call('GET', `/v1/applications/${id}/builds`)).text,
    }
  }

  it('treats a build in the trash as deleted, except for its link, which says what happened', async () => {
    const { id } = await createApplication(server, 'trash')
    const [first, , last] = await uploadOld('trash', 3)
    assert.ok(first && last)
    const key = { 'X-Service-Branch': 'keyed', 'Idempotency-Key': 'once' }
    const keyed = await uploadApk(server, {
      alias: 'trash',
      apk: { packageName: 'com.trash', versionCode: 9 },
      headers: key,
    })
    await uploadApk(server, {
      alias: 'trash',
      apk: { packageName: 'com.trash', versionCode: 10 },
      headers: { 'X-Service-Branch': 'keyed' },
    })
    await age([keyed.id], 50)
    const path = new URL(first.installUrl).pathname
    const page = await openInstallPage(server, first.installUrl, { agent: 'android' })
    const download = /href="([^"]*\/install\/granted\/[^"]*)"/.exec(page.text)?.[1] ?? ''
    assert.equal((await server.call('GET', download, { token: null })).status, 200)
    await save(id, everything)
    const done = await run(id)
    assert.equal(done.trashedCount, 3)
    assert.ok(done.undoUntilDate !== null && Date.parse(done.undoUntilDate) > Date.now() + 6 * day)
    for (const [method, target, json] of [
      ['GET', `/v1/builds/${first.id}`],
      ['GET', `/v1/builds/${first.id}/binary`],
      ['GET', `/v1/builds/${first.id}/installs`],
      ['DELETE', `/v1/builds/${first.id}`],
      ['PUT', `/v1/builds/${first.id}/pin`],
      ['PATCH', `/v2/builds/${first.id}`, { releaseNotes: 'x' }],
      ['POST', `/v1/builds/${first.id}/distribute`, { distributionGroupNames: ['A'] }],
    ] as const) {
      const answer = await server.call(method, target, json === undefined ? {} : { json })
      assert.equal(answer.status, 404, `${method} ${target}`)
    }
    const gone = await server.call('GET', path, { token: null })
    assert.equal(gone.status, 410)
    assert.equal(gone.json.detail, 'This build was removed by the retention rule of its team')
    assert.match((await openInstallPage(server, first.installUrl)).text, /This build was removed/)
    assert.equal((await server.call('GET', download, { token: null })).status, 410)
    const application = (await server.call('GET', `/v1/applications/${id}`)).json
    assert.deepEqual([application.buildCount, (await list(`/v1/applications/${id}/builds`)).length], [2, 2])
    const again = await uploadApk(server, {
      alias: 'trash',
      apk: { packageName: 'com.trash', versionCode: 9 },
      headers: key,
    })
    assert.notEqual(again.id, keyed.id, 'the idempotency key answers as for a deleted build')
    const trash = (await server.call('GET', `/v1/applications/${id}/trash?limit=1`)).json
    assert.deepEqual([trash[0].id, trash[0].retentionRunId], [keyed.id, done.id])
    assert.equal(Date.parse(trash[0].purgeDate) - Date.parse(trash[0].trashedDate), 7 * day)

    const restored = await server.call('POST', `/v1/builds/${first.id}/restore`)
    assert.deepEqual([restored.status, restored.json.id, restored.json.installUrl], [200, first.id, first.installUrl])
    assert.equal((await server.call('GET', download, { token: null })).status, 200, 'the same grants work')
    assert.equal((await server.call('GET', `/v1/retentionRuns/${done.id}`)).json.restoredCount, 1)
    assert.equal((await server.call('POST', '/v1/builds/999999/restore')).status, 404)

    const stored = (await server.listBlobs()).length
    assert.equal((await server.call('POST', `/v1/applications/${id}/trash/empty`)).status, 202)
    for (let waited = 0; (await list(`/v1/applications/${id}/trash`)).length > 0; waited++) {
      assert.ok(waited < 200, 'the trash is emptied')
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    for (let waited = 0; (await server.listBlobs()).length >= stored; waited++) {
      assert.ok(waited < 200, 'the bytes go')
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    assert.equal((await server.call('POST', `/v1/builds/${keyed.id}/restore`)).status, 404)
    assert.equal((await server.call('GET', new URL(keyed.installUrl).pathname, { token: null })).status, 404)
  })

  it('keeps what is pinned, what a latest link shows, and what was distributed meanwhile', async () => {
    const { id } = await createApplication(server, 'kept')
    const [pinned, served, , last] = await uploadOld('kept', 4)
    assert.ok(pinned && served && last)
    assert.equal((await server.call('PUT', `/v1/builds/${pinned.id}/pin`)).status, 204)
    assert.equal((await server.call('GET', `/v1/builds/${pinned.id}`)).json.isPinned, true)
    await db
      .insertInto('build_groups')
      .values({ build_id: served.id, group_id: groups[0]?.id ?? 0, distributed_at: 1 })
      .execute()
    const link = await server.call('POST', `/v1/applications/${id}/latestLinks`, { json: { name: 'Wall' } })
    const shown = await preview(id, everything)
    assert.equal(shown.candidateCount, 1)
    assert.deepEqual(shown.kept, { pinned: 1, recent: 0, newestOfBranch: 1, latest: 1, distributed: 0 })
    await server.call('DELETE', `/v1/latestLinks/${link.json.id}`)
    await server.call('DELETE', `/v1/builds/${pinned.id}/pin`)
    assert.equal((await preview(id, everything)).candidateCount, 2, 'the group still keeps its newest')
    assert.equal((await preview(id, everything)).freedBytes > 0, true)
    assert.equal((await preview(id)).candidateCount, 0, 'nothing is saved')
  })

  it('counts only bytes that nothing else needs as gained', async () => {
    const { id } = await createApplication(server, 'equal')
    const apk = { packageName: 'com.equal', versionCode: 1, icon: null }
    const bytes = createApk(apk)
    const upload = () => uploadBytes(server, bytes, { alias: 'equal', headers: { 'X-Service-Branch': 'main' } })
    const [first, second] = [await upload(), await upload()]
    const other = await uploadApk(server, {
      alias: 'equal',
      apk: { ...apk, versionCode: 2 },
      headers: { 'X-Service-Branch': 'main' },
    })
    await age([first.id, second.id, other.id], 40)
    const both = await preview(id, everything)
    assert.deepEqual([both.candidateCount, both.candidateBytes, both.freedBytes], [2, 2 * first.size, first.size])
    await server.call('PUT', `/v1/builds/${second.id}/pin`)
    const one = await preview(id, everything)
    assert.deepEqual([one.candidateCount, one.candidateBytes, one.freedBytes], [1, first.size, 0])
  })

  it('waits a day with rules that are new or stricter, and tells the administrators first', async () => {
    const ada = await join(server, { email: 'ada@example.com', role: 'admin' })
    assert.ok(ada.session)
    const { id } = await createApplication(server, 'told')
    await uploadOld('told', 3)
    assert.deepEqual((await server.call('GET', `/v1/applications/${id}/retention`)).json, {
      isEnabled: false,
      rules: [],
      keepDistributedDays: 90,
      quietBranchDays: null,
      nextRunDate: null,
      source: 'none',
    })
    const saved = await save(id, everything)
    assert.ok(Date.parse(saved.nextRunDate ?? '') >= Date.now() + day - 60_000)
    const mail = await waitForMail('New rules will remove builds')
    assert.match(mail.text, /told: 2 builds/)
    assert.ok(mail.text.includes(`/applications/${id}/retention`))
    await db.updateTable('retentions').set({ next_run_at: 1 }).where('application_id', '=', id).execute()
    const looser = await save(id, { ...everything, rules: [{ branches: ['*'], maxAgeDays: 35, keepNewest: null }] })
    assert.equal(looser.nextRunDate, '1970-01-01T00:00:00.001Z', 'looser rules do not wait')
    const stricter = await save(id, everything)
    assert.ok(Date.parse(stricter.nextRunDate ?? '') >= Date.now() + day - 60_000)
  })

  const waitForMail = async (subject: string): Promise<{ text: string }> => {
    for (let waited = 0; waited < 200; waited++) {
      const row = await db
        .selectFrom('mails')
        .select('text')
        .where('subject', '=', subject)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
      if (row) return row
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error(`no mail "${subject}" came`)
  }

  it('lists the builds of a run, and mails administrators once a week what rules removed', async () => {
    await join(server, { email: 'wilma@example.com', role: 'admin' })
    const { id } = await createApplication(server, 'weekly')
    const builds = await uploadOld('weekly', 3)
    await save(id, everything)
    const done = await run(id)
    const path = `/v1/retentionRuns/${done.id}/builds`
    const { json: lines } = await server.call('GET', path)
    assert.deepEqual(
      lines.map((line: RetentionRunBuild) => [line.id, line.version, line.branch, line.rule, line.state]),
      [
        [builds[1]?.id, '2', 'main', 0, 'trashed'],
        [builds[0]?.id, '1', 'main', 0, 'trashed'],
      ],
    )
    await server.call('POST', `/v1/builds/${builds[0]?.id}/restore`)
    const page = await server.call('GET', `${path}?limit=1&cursor=${lines[0].id}`)
    assert.deepEqual([page.json[0].state, page.headers.get('x-total-count')], ['restored', '2'])
    assert.equal((await server.call('GET', '/v1/retentionRuns/999999/builds')).status, 404)

    const subject = 'Builds that rules removed this week'
    const countDigests = async () =>
      (await db.selectFrom('mails').select('id').where('subject', '=', subject).execute()).length
    await db.updateTable('workspaces').set({ retention_told_at: null }).execute()
    const before = await countDigests()
    await letPlanRun()
    const mail = await waitForMail(subject)
    assert.match(mail.text, /weekly: 2 builds, \d+\.\d MB/)
    assert.match(mail.text, /can be undone for 7 days/)
    const after = await countDigests()
    assert.ok(after > before)
    await letPlanRun()
    assert.equal(await countDigests(), after, 'the next one comes in a week')
    await db
      .updateTable('workspaces')
      .set({ retention_told_at: Date.now() - 8 * day })
      .execute()
    await letPlanRun()
    assert.equal(await countDigests(), after + (after - before))
    await db
      .updateTable('retention_runs')
      .set({ finished_at: Date.now() - 8 * day })
      .where('state', '=', 'done')
      .execute()
    await db
      .updateTable('workspaces')
      .set({ retention_told_at: Date.now() - 8 * day })
      .execute()
    await letPlanRun()
    assert.equal(await countDigests(), after + (after - before), 'nothing was removed in this week')
  })

  /** Lets the time come at which the server looks for due rules and digests. */
  const letPlanRun = async () => {
    const jobs = db
      .selectFrom('jobs')
      .select('id')
      .where('kind', '=', 'plan-retention')
      .where('run_at', '<=', Date.now())
    await db.updateTable('jobs').set({ run_at: 1 }).where('kind', '=', 'plan-retention').execute()
    // Emptying a trash wakes the worker, which otherwise looks for jobs that are due every few seconds.
    await server.call('POST', '/v1/applications/1/trash/empty')
    for (let waited = 0; (await jobs.executeTakeFirst()) !== undefined; waited++) {
      assert.ok(waited < 400, 'the plan runs')
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
  }

  it('follows the rule of the workspace where an application has none of its own', async () => {
    const { id } = await createApplication(server, 'follows')
    await uploadOld('follows', 2)
    await server.call('PATCH', '/v1/workspace', { json: { retentionDays: 30 } })
    await untilAnnounced()
    const { json } = await server.call('GET', `/v1/applications/${id}/retention`)
    assert.equal(json.source, 'workspace')
    assert.deepEqual(json.rules, [{ branches: ['*'], maxAgeDays: 30, keepNewest: null }])
    assert.ok(Date.parse(json.nextRunDate) >= Date.now() + day - 60_000)
    assert.equal((await preview(id)).candidateCount, 1)
    await server.call('PATCH', '/v1/workspace', { json: { retentionDays: null } })
    assert.equal((await server.call('GET', `/v1/applications/${id}/retention`)).json.source, 'none')
  })

  it('runs one at a time, undoes while it runs, and not when it is too late', async () => {
    const { id } = await createApplication(server, 'single')
    await uploadOld('single', 3)
    await save(id, everything)
    const row = await db
      .insertInto('retention_runs')
      .values({
        workspace_id: 1,
        application_id: id,
        trigger: 'hand',
        state: 'running',
        settings: (await db.selectFrom('retention_runs').select('settings').executeTakeFirstOrThrow()).settings,
        started_at: Date.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const refused = await server.call('POST', `/v1/applications/${id}/retention/runs`)
    assert.equal(refused.status, 409)
    const stopped = await server.call('POST', `/v1/retentionRuns/${row.id}/undo`)
    assert.deepEqual([stopped.status, stopped.json.state], [200, 'undone'])
    const done = await run(id)
    assert.equal(done.trashedCount, 2)
    await db.updateTable('retention_runs').set({ finished_at: 1 }).where('id', '=', done.id).execute()
    assert.equal((await server.call('POST', `/v1/retentionRuns/${done.id}/undo`)).status, 410)
    const unknown = await server.call('GET', '/v1/retentionRuns/999999')
    assert.equal(unknown.json.detail, 'The retention run with the given ID does not exist')
    const actions = new Set(
      (await server.call('GET', '/v1/auditEvents?limit=50')).json.map((one: { action: string }) => one.action),
    )
    for (const action of ['retention.update', 'retention.run', 'retention.undo']) assert.ok(actions.has(action), action)
  })

  it('tells hooks of each build that goes and comes back, and of the run', async () => {
    const { id } = await createApplication(server, 'hooked')
    const [first] = await uploadOld('hooked', 2)
    await save(id, everything)
    const events = ['build.deleted', 'build.restored', 'retention.finished']
    const json = { name: 'CI', url: receiver.url, events, applicationIds: [id] }
    assert.equal((await server.call('POST', '/v1/hooks', { json })).status, 201)
    const done = await run(id)
    const deleted = await receiver.waitFor((delivery) => delivery.json.type === 'build.deleted')
    assert.deepEqual([deleted.json.data.buildId, deleted.json.data.reason], [first?.id, 'retention'])
    const ended = await receiver.waitFor((delivery) => delivery.json.type === 'retention.finished')
    assert.deepEqual(
      [ended.json.data.retentionRunId, ended.json.data.trashedCount, ended.json.data.trashedBytes],
      [done.id, 1, done.trashedBytes],
    )
    await server.call('POST', `/v1/retentionRuns/${done.id}/undo`)
    const restored = await receiver.waitFor((delivery) => delivery.json.type === 'build.restored')
    assert.equal(restored.json.data.buildId, first?.id)
  })

  it('refuses rules that mean nothing, and people who may not', async () => {
    const { id } = await createApplication(server, 'refused')
    const path = `/v1/applications/${id}/retention`
    for (const json of [
      {},
      { isEnabled: true },
      { isEnabled: true, rules: [{ branches: [], maxAgeDays: 3 }] },
      { isEnabled: true, rules: [{ branches: ['*'], maxAgeDays: 0 }] },
      { isEnabled: true, rules: [{ branches: ['*'], keepNewest: 10_001 }] },
      { isEnabled: true, rules: [{ branches: ['x'.repeat(501)], maxAgeDays: 1 }] },
      { isEnabled: true, rules: [], keepDistributedDays: 3651 },
      { isEnabled: true, rules: [], quietBranchDays: 0 },
    ]) {
      assert.equal((await server.call('PUT', path, { json })).status, 400, JSON.stringify(json))
    }
    const tokenOf = async (role: string): Promise<string> =>
      (await server.call('POST', '/v1/apiTokens', { json: { name: role, role } })).json.token
    const [viewer, developer] = [await tokenOf('viewer'), await tokenOf('developer')]
    const json = everything
    assert.equal((await server.call('PUT', path, { json, token: developer })).status, 403)
    assert.equal((await server.call('POST', `${path}/runs`, { token: developer })).status, 403)
    assert.equal((await server.call('POST', `${path}/preview`, { json, token: developer })).status, 200)
    assert.equal((await server.call('POST', `${path}/preview`, { json, token: viewer })).status, 403)
    assert.equal((await server.call('GET', path, { token: viewer })).status, 200)
  })
})
