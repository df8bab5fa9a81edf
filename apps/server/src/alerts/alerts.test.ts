import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AlertRecord, AlertRule } from '@fairlead/contract'
import { type Db, openDatabase } from '../db/open.ts'
import { tellHooks } from '../hooks/tell-hooks.ts'
import { join } from '../testing/browser.ts'
import { type CrashApplication, createCrashApplication, deliver, waitUntilRead } from '../testing/crashes.ts'
import { type HookReceiver, startHookReceiver } from '../testing/hook-receiver.ts'
import { startServer, type TestServer } from '../testing/start-server.ts'
import { completeRun, uploadReport } from '../testing/test-reports.ts'
import { uploadApk } from '../testing/upload.ts'

const minuteMs = 60_000

describe('Alert rules', () => {
  let server: TestServer
  let db: Db
  let receiver: HookReceiver
  let hookId: number
  let shop: CrashApplication

  before(async () => {
    receiver = await startHookReceiver()
    server = await startServer({ FAIRLEAD_HOOKS_ALLOW: receiver.host })
    db = (await openDatabase({ databaseUrl: server.databaseUrl, dataDir: server.dataDir })).db
    const hook = { name: 'Chat', url: receiver.url, events: ['hook.test'] }
    hookId = (await server.call('POST', '/v1/hooks', { json: hook })).json.id
    shop = await createCrashApplication(server, 'shop')
  })
  after(async () => {
    await db.destroy()
    await server[Symbol.asyncDispose]()
    await receiver[Symbol.asyncDispose]()
  })

  const create = async (json: object, applicationId = shop.id): Promise<AlertRule> => {
    const answer = await server.call('POST', `/v1/applications/${applicationId}/alertRules`, {
      json: { name: 'A rule', hookIds: [hookId], ...json },
    })
    assert.equal(answer.status, 201, answer.text)
    await settle()
    return answer.json
  }
  const get = async ({ id }: { id: number }): Promise<AlertRule> =>
    (await server.call('GET', `/v1/alertRules/${id}`)).json
  const listFired = async ({ id, applicationId }: AlertRule): Promise<AlertRecord[]> =>
    (await server.call('GET', `/v1/applications/${applicationId}/alerts?alertRuleId=${id}`)).json

  /** Waits until no job about alerts is due. */
  const settle = async () => {
    for (let waited = 0; waited < 4000; waited++) {
      const due = await db
        .selectFrom('jobs')
        .select('id')
        .where('kind', 'in', ['plan-alerts', 'look-at-alerts', 'mail-alerts', 'mail-crashes', 'alert-of-feedback'])
        .where('run_at', '<=', Date.now())
        .executeTakeFirst()
      if (!due) return
      await sleep(25)
    }
    throw new Error('jobs about alerts are still due')
  }
  /** Lets the time come at which the server looks at rules, and at which it tells of crash groups. */
  const look = async () => {
    const kinds = ['plan-alerts', 'mail-crashes', 'alert-of-feedback'] as const
    await db.updateTable('crash_groups').set({ mail_due_at: 1 }).where('mail_due_at', 'is not', null).execute()
    await db.updateTable('jobs').set({ run_at: 1 }).where('kind', 'in', kinds).execute()
    // Saving rules wakes the worker, which otherwise looks for jobs that are due every few seconds.
    await server.call('PUT', `/v1/applications/${shop.id}/crashRules`, { json: { rules: [] } })
    await settle()
  }
  const letMinutesPass = async (rule: { id: number }, minutes: number) => {
    await db
      .updateTable('alert_minutes')
      .set((update) => ({ minute: update('minute', '-', minutes) }))
      .execute()
    const shift = minutes * minuteMs
    const { last_fired_at: at } = await db
      .selectFrom('alert_rules')
      .select('last_fired_at')
      .where('id', '=', rule.id)
      .executeTakeFirstOrThrow()
    if (at === null) return
    await db
      .updateTable('alert_rules')
      .set({ last_fired_at: at - shift })
      .where('id', '=', rule.id)
      .execute()
  }
  let crashes = 0
  const crash = async (count: number, method = 'pay', application = shop) => {
    for (let sent = 0; sent < count; sent++) {
      const trace = `java.lang.Error: ${++crashes}\n\tat org.tarn.Shop.${method}(Shop.java:1)`
      assert.equal((await deliver(server, application, 'raw', trace)).status, 202)
    }
    await waitUntilRead(server, application.id)
  }

  it('are four from the start: new groups, regressions, many crashes, and feedback for administrators', async () => {
    const { json: rules } = await server.call('GET', `/v1/applications/${shop.id}/alertRules`)
    const shown = rules.map(({ kind, roles, threshold, windowMinutes, state, createdBy }: AlertRule) => {
      return [kind, roles.join(), threshold, windowMinutes, state, createdBy]
    })
    assert.deepEqual(shown, [
      ['feedback', 'admin', null, null, 'ok', null],
      ['crashCount', 'developer,admin', 20, 60, 'ok', null],
      ['crashRegression', 'developer,admin', null, null, 'ok', null],
      ['newCrashGroup', 'developer,admin', null, null, 'ok', null],
    ])
  })

  it('need what their kind needs, and name only what exists, by those who may', async () => {
    const path = `/v1/applications/${shop.id}/alertRules`
    const post = (json: object) => server.call('POST', path, { json: { name: 'A rule', ...json } })
    const count = { kind: 'crashCount', threshold: 5, windowMinutes: 60 }
    for (const [json, source] of [
      [{ kind: 'crashCount', windowMinutes: 60 }, '/threshold'],
      [{ kind: 'installCount', threshold: 5 }, '/windowMinutes'],
      [{ ...count, threshold: 1.5 }, '/threshold'],
      [{ ...count, kind: 'crashFreeRate', threshold: 100.5 }, '/threshold'],
      [{ ...count, windowMinutes: 4 }, '/windowMinutes'],
      [{ ...count, windowMinutes: 10_081 }, '/windowMinutes'],
      [{ ...count, branch: 'main' }, '/branch'],
      [{ kind: 'newCrashGroup', threshold: 5 }, '/threshold'],
      [{ ...count, minimum: 5 }, '/minimum'],
      [{ ...count, quietHours: { from: '7:00', to: '22:00', timeZone: 'UTC' } }, '/quietHours/from'],
      [{ ...count, quietHours: { from: '07:00', to: '07:00', timeZone: 'UTC' } }, '/quietHours/to'],
      [{ ...count, kind: 'phaseOfTheMoon' }, '/kind'],
    ] as const) {
      const answer = await post(json)
      assert.equal(answer.status, 400, answer.text)
      assert.equal(answer.json.errors[0].source, source)
    }
    for (const [json, source] of [
      [{ ...count, hookIds: [99] }, '/hookIds'],
      [{ ...count, accountIds: [99] }, '/accountIds'],
      [
        { ...count, quietHours: { from: '22:00', to: '07:00', timeZone: 'Atlantis/Poseidonis' } },
        '/quietHours/timeZone',
      ],
    ] as const) {
      const answer = await post(json)
      assert.deepEqual([answer.status, answer.json.errors[0].source], [422, source], answer.text)
    }
    const developer = (await server.call('POST', '/v1/apiTokens', { json: { name: 'ci', role: 'developer' } })).json
      .token
    const viewer = (await server.call('POST', '/v1/apiTokens', { json: { name: 'eye', role: 'viewer' } })).json.token
    assert.equal((await server.call('POST', path, { token: viewer, json: { name: 'x', ...count } })).status, 403)
    const own = await server.call('POST', path, { token: developer, json: { name: 'Own', ...count } })
    assert.equal(own.status, 201, own.text)
    const patch = (json: object, token = developer) =>
      server.call('PATCH', `/v1/alertRules/${own.json.id}`, { token, json })
    assert.equal((await patch({ hookIds: [hookId] })).status, 403)
    assert.equal((await patch({ hookIds: [hookId] }, server.token)).status, 200)
    const renamed = await patch({ name: 'Renamed', hookIds: [hookId], threshold: 7 })
    assert.deepEqual([renamed.status, renamed.json.name, renamed.json.threshold], [200, 'Renamed', 7])
    assert.equal((await patch({ hookIds: [] })).status, 403)
    assert.equal((await patch({ threshold: null })).status, 400)
    assert.equal((await server.call('GET', path, { token: viewer })).status, 200)
    assert.equal((await server.call('DELETE', `/v1/alertRules/${own.json.id}`, { token: developer })).status, 204)
    assert.equal((await patch({})).json.detail, 'The alert rule with the given ID does not exist')
    const { json: events } = await server.call('GET', '/v1/auditEvents')
    const actions = new Set(events.map(({ action }: { action: string }) => action))
    for (const action of ['create', 'update', 'delete']) assert.ok(actions.has(`alertRule.${action}`), action)
  })

  it('fire when a count crosses its line, and again only after it was below and the cooldown is over', async () => {
    const rule = await create({ kind: 'crashCount', threshold: 3, windowMinutes: 30, cooldownMinutes: 60 })
    assert.equal((await get(rule)).state, 'ok')
    await crash(2)
    await look()
    assert.equal((await get(rule)).state, 'ok')
    await crash(2)
    await look()
    assert.equal((await get(rule)).state, 'firing')
    const delivery = await receiver.waitFor(({ json }) => json.data.alertRuleId === rule.id)
    assert.equal(delivery.json.type, 'alert.fired')
    const { alertRuleId, kind, value, threshold, windowMinutes } = delivery.json.data
    assert.deepEqual([alertRuleId, kind, value, threshold, windowMinutes], [rule.id, 'crashCount', 4, 3, 30])
    await crash(1)
    await look()
    assert.equal((await listFired(rule)).length, 1, 'it is over the line all the time')
    await letMinutesPass(rule, 40)
    await look()
    assert.equal((await get(rule)).state, 'ok')
    await crash(3)
    await look()
    assert.deepEqual(
      [(await get(rule)).state, (await listFired(rule)).length],
      ['firing', 1],
      'the cooldown is not over',
    )
    await letMinutesPass(rule, 25)
    await look()
    const [second] = await listFired(rule)
    assert.deepEqual([(await listFired(rule)).length, second?.value, second?.title], [2, 3, '3 crashes in 30 minutes'])
    assert.match(second?.detail ?? '', /java\.lang\.Error \(\d+\)/)
  })

  it('judge the rate of sessions without a crash only from enough sessions', async () => {
    const rule = await create({ kind: 'crashFreeRate', threshold: 95, windowMinutes: 60, minimum: 10 })
    assert.equal((await create({ kind: 'crashFreeRate', threshold: 95, windowMinutes: 60 })).minimum, 100)
    const sendSession = async (number: number, status: string) => {
      const session = { sid: `${number}`.padStart(32, '0'), init: true, status, errors: 0 }
      const item = JSON.stringify({ ...session, attrs: { release: 'shop@1.0+1' }, started: new Date().toISOString() })
      const body = `{}\n{"type":"session"}\n${item}\n`
      assert.equal((await deliver(server, shop, 'sentry-envelope', body)).status, 200)
    }
    for (let number = 1; number <= 9; number++) await sendSession(number, number === 1 ? 'crashed' : 'exited')
    await waitUntilRead(server, shop.id)
    await look()
    assert.deepEqual(await listFired(rule), [])
    await sendSession(10, 'exited')
    await waitUntilRead(server, shop.id)
    await look()
    const [fired] = await listFired(rule)
    assert.deepEqual([fired?.value, fired?.detail], [90, '1 of 10 sessions crashed'])
  })

  it('count installs, watch a branch of tests, and the share of flaky ones', async () => {
    const installs = await create({ kind: 'installCount', threshold: 2, windowMinutes: 10_080 })
    const build = await uploadApk(server, { alias: 'shop' })
    for (let count = 0; count < 2; count++) {
      const page = await server.call('GET', new URL(build.installUrl).pathname, { token: null })
      const [, href = ''] = /href="([^"]*\/(?:apk|binary|download)[^"]*)"/.exec(page.text) ?? []
      const { pathname, search } = new URL(href.replaceAll('&amp;', '&'), server.url)
      assert.equal((await server.call('GET', pathname + search, { token: null })).status, 200)
    }
    const verdict = await create({ kind: 'testVerdict', cooldownMinutes: 0 })
    const flaky = await create({ kind: 'flakyRate', threshold: 40, windowMinutes: 60, branch: 'main' })
    const runTests = async (isGood: boolean, branch = 'main') => {
      const cases = [
        { name: 'pays', ...(!isGood && { failure: 'no money' }) },
        { name: 'opens', flaky: ['slow'] },
      ]
      const { run } = await uploadReport(server, cases, { alias: 'shop', branch })
      await completeRun(server, run.id)
      await look()
    }
    await runTests(true)
    await runTests(false, 'feature')
    assert.deepEqual([(await get(verdict)).state, (await get(flaky)).lastFiredDate === null], ['ok', false])
    await runTests(false)
    await runTests(false)
    await runTests(true)
    await runTests(false)
    const fired = await listFired(verdict)
    assert.deepEqual(
      fired.map(({ title }) => title),
      ['Tests fail on main', 'Tests fail on main'],
    )
    assert.ok((fired[0]?.testRunId ?? 0) > (fired[1]?.testRunId ?? 0))
    const [flakyAlert] = await listFired(flaky)
    assert.deepEqual([flakyAlert?.value, flakyAlert?.detail], [50, '1 of 2 cases on main'])
    await look()
    assert.equal((await listFired(installs)).length, 1)
  })

  it('tell of each new group once, ten minutes later, and of a group that is back', async () => {
    const application = await createCrashApplication(server, 'fresh')
    const fresh = await create({ kind: 'newCrashGroup' }, application.id)
    const back = await create({ kind: 'crashRegression' }, application.id)
    await crash(1, 'open', application)
    await settle()
    assert.deepEqual(await listFired(fresh), [], 'its symbols may come first')
    await crash(1, 'close', application)
    await look()
    await crash(2, 'close', application)
    await look()
    const fired = await listFired(fresh)
    assert.equal(fired.length, 2)
    assert.match(fired[0]?.title ?? '', /^New: java\.lang\.Error/)
    await receiver.waitFor(({ json }) => json.data.crashGroupId === fired[1]?.crashGroupId)
    const { json: groups } = await server.call('GET', `/v1/applications/${application.id}/crashGroups`)
    await server.call('PATCH', `/v1/crashGroups/${groups[0].id}`, { json: { resolvedInVersion: '1' } })
    const headers = { 'X-Service-Version': '2' }
    const body = `java.lang.Error: again\n\tat ${groups[0].culprit}(Shop.java:1)\n`
    const path = `/v1/applications/${application.id}/crashes`
    assert.equal((await server.call('POST', path, { headers, body })).status, 202)
    await waitUntilRead(server, application.id)
    await look()
    assert.deepEqual(
      (await listFired(back)).map(({ crashGroupId }) => crashGroupId),
      [groups[0].id],
    )
  })

  it('are told of feedback by its event', async () => {
    const rule = await create({ kind: 'feedback' })
    const of = { type: 'feedback.received' as const, workspaceId: 1, applicationId: shop.id }
    await db
      .transaction()
      .execute((trx) =>
        tellHooks(trx, of, () => ({ data: { feedbackId: 7, buildId: 1 }, texts: { text: 'The boat is upside down' } })),
      )
    await look()
    const [fired] = await listFired(rule)
    assert.deepEqual([fired?.feedbackId, fired?.detail], [7, 'The boat is upside down'])
  })

  it('keep what they told of when they are deleted', async () => {
    const rule = await create({ kind: 'crashCount', name: 'Gone', threshold: 1, windowMinutes: 10_080 })
    assert.equal((await listFired(rule)).length, 1, 'what is over the line when a rule is made is told of at once')
    assert.equal((await server.call('DELETE', `/v1/alertRules/${rule.id}`)).status, 204)
    const { json } = await server.call('GET', `/v1/applications/${shop.id}/alerts`)
    const kept = json.find(({ ruleName }: AlertRecord) => ruleName === 'Gone')
    assert.equal(kept.alertRuleId, null)
    assert.equal((await server.call('GET', `/v1/applications/${shop.id}/alerts?limit=1`)).json.length, 1)
  })

  describe('mails', () => {
    const mailsTo = async (email: string): Promise<{ subject: string; id: number }[]> => {
      const { json } = await server.call('GET', '/v1/mails')
      return json.filter(
        (mail: { recipient: string; subject: string }) => mail.recipient === email && !mail.subject.startsWith('Join'),
      )
    }
    const letDigestsPass = async () => {
      await db.updateTable('alert_notices').set({ due_at: 1 }).where('is_held', '=', 0).execute()
      await look()
    }
    const occur = async (application: CrashApplication, methods: string[]) => {
      for (const method of methods) await crash(1, method, application)
      await look()
    }
    const idOf = async (email: string): Promise<number> => {
      const { json } = await server.call('GET', '/v1/members')
      return json.find((member: { email: string }) => member.email === email).accountId
    }

    it('come as one digest to developers and administrators, and not to viewers', async () => {
      for (const role of ['viewer', 'developer', 'admin']) await join(server, { email: `${role}@example.com`, role })
      const application = await createCrashApplication(server, 'mailed')
      await occur(application, ['mast', 'sail'])
      assert.deepEqual(await mailsTo('developer@example.com'), [], 'they wait for others')
      await letDigestsPass()
      assert.deepEqual(await mailsTo('viewer@example.com'), [])
      for (const email of ['developer@example.com', 'admin@example.com']) {
        const mails = await mailsTo(email)
        assert.deepEqual(
          mails.map(({ subject }) => subject),
          ['mailed: 2 alerts'],
        )
      }
    })

    it('wait for the end of quiet hours and then come as one, while hooks do not wait', async () => {
      const application = await createCrashApplication(server, 'quiet')
      await join(server, { email: 'quinn@example.com', role: 'viewer' })
      const now = Temporal.Now.zonedDateTimeISO('Asia/Tokyo').toPlainTime()
      const quietHours = {
        from: now.subtract({ hours: 1 }).toString().slice(0, 5),
        to: now.add({ hours: 2 }).toString().slice(0, 5),
        timeZone: 'Asia/Tokyo',
      }
      const accountIds = [await idOf('quinn@example.com')]
      const rule = await create({ kind: 'newCrashGroup', quietHours, accountIds, digestMinutes: 0 }, application.id)
      const before = receiver.deliveries.length
      await occur(application, ['bow'])
      await occur(application, ['stern'])
      await receiver.waitFor(({ json }) => json.data.alertRuleId === rule.id, 2)
      assert.ok(receiver.deliveries.length >= before + 2)
      assert.deepEqual(await mailsTo('quinn@example.com'), [])
      const held = await db.selectFrom('alert_notices').selectAll().where('rule_id', '=', rule.id).execute()
      assert.deepEqual(
        held.map(({ is_held: isHeld, due_at: dueAt }) => [isHeld, dueAt > Date.now() + 110 * minuteMs]),
        [
          [1, true],
          [1, true],
        ],
      )
      await db.updateTable('alert_notices').set({ due_at: 1 }).where('rule_id', '=', rule.id).execute()
      await look()
      const [mail, ...others] = await mailsTo('quinn@example.com')
      assert.deepEqual([mail?.subject, others], ['quiet: 2 alerts', []])
      const { json: whole } = await server.call('GET', `/v1/mails/${mail?.id}`)
      assert.match(JSON.stringify(whole), /New: java\.lang\.Error/)
    })

    it('end for a person who leaves the workspace, with what waits', async () => {
      const application = await createCrashApplication(server, 'left')
      await join(server, { email: 'leo@example.com', role: 'viewer' })
      const id = await idOf('leo@example.com')
      const rule = await create({ kind: 'newCrashGroup', accountIds: [id] }, application.id)
      await occur(application, ['keel'])
      assert.equal((await server.call('DELETE', `/v1/members/${id}`)).status, 204)
      assert.deepEqual((await get(rule)).accountIds, [])
      await letDigestsPass()
      assert.deepEqual(await mailsTo('leo@example.com'), [])
    })

    it('about a group that somebody works on go to that person alone', async () => {
      const application = await createCrashApplication(server, 'assigned')
      const developer = await idOf('developer@example.com')
      await crash(1, 'rudder', application)
      const { json: groups } = await server.call('GET', `/v1/applications/${application.id}/crashGroups`)
      await server.call('PATCH', `/v1/crashGroups/${groups[0].id}`, { json: { assigneeId: developer } })
      await look()
      await letDigestsPass()
      const ofGroup = async (email: string) =>
        (await mailsTo(email)).filter(({ subject }) => subject.startsWith('assigned: ')).length
      assert.deepEqual([await ofGroup('developer@example.com'), await ofGroup('admin@example.com')], [1, 0])
    })
  })
})
