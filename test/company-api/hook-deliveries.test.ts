import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sweepExpired } from '../../apps/server/src/chores/sweep.ts'
import { type Db, openDatabase } from '../../apps/server/src/db/open.ts'
import { join } from '../../apps/server/src/testing/browser.ts'
import { type HookReceiver, startHookReceiver, verify } from '../../apps/server/src/testing/hook-receiver.ts'
import { type MailServer, startMailServer } from '../../apps/server/src/testing/mail-server.ts'
import { createApplication, uploadApk } from '../../apps/server/src/testing/upload.ts'
import { startWalk, type Walk } from './walk.ts'

const day = 24 * 60 * 60 * 1000
/** The pauses of `FAIRLEAD_HOOK_RETRY_SECONDS` if it is not set. */
const pauses = [5, 60, 300, 1800, 7200, 18_000, 36_000, 50_400]
const neverAllowed = ['169.254.169.254', '0.0.0.0', '224.0.0.1', '[fe80::1]', '[fd00:ec2::254]', '[ff02::1]', '[::]']

describe('The API of deliveries, with the settings that nobody set', () => {
  let walk: Walk
  let db: Db
  let mailServer: MailServer
  let receiver: HookReceiver
  let bell: HookReceiver
  let bellId: number
  before(async () => {
    mailServer = await startMailServer()
    receiver = await startHookReceiver()
    bell = await startHookReceiver()
    const allow = [receiver.host, bell.host, '127.0.0.1:1', '169.254.0.0/16', '0.0.0.0/8', '224.0.0.0/4', '[::]/0']
    walk = await startWalk({ FAIRLEAD_HOOKS_ALLOW: allow.join(','), FAIRLEAD_SMTP_URL: mailServer.url })
    const { databaseUrl, dataDir } = walk.server
    db = (await openDatabase({ databaseUrl, dataDir })).db
    await createApplication(walk.server, 'shop')
    bellId = (await create({ url: bell.url })).id
  })
  after(async () => {
    await db?.destroy()
    await walk?.[Symbol.asyncDispose]()
    for (const started of [receiver, bell, mailServer]) await started?.[Symbol.asyncDispose]()
  })

  const create = (json: object = {}) =>
    walk.ask('POST /v1/hooks', 201, {
      json: { name: 'Packing line', url: receiver.url, events: ['build.deleted'], ...json },
    })
  const remove = (id: number) => walk.answer(`DELETE /v1/hooks/${id}`, 204)
  const test = async (id: number) => walk.ask(`POST /v1/hooks/${id}/test`, 202)
  const find = (id: number) => walk.ask(`GET /v1/hookDeliveries/${id}`, 200)
  // oxlint-disable-next-line typescript/no-explicit-any -- the shape is what is tested
  const until = async (id: number, isWanted: (delivery: any) => boolean) => {
    for (let waited = 0; waited < 1200; waited++) {
      const delivery = await find(id)
      if (isWanted(delivery)) return delivery
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
    throw new Error(`the delivery waits: ${JSON.stringify(await find(id))}`)
  }
  const untilAttempt = (id: number, count: number) => until(id, ({ attemptCount }) => attemptCount === count)
  const untilState = (id: number, state: string) => until(id, (delivery) => delivery.state === state)
  /** Makes a delivery due, and wakes the server by a test of another hook. */
  const hurry = async (id: number, attemptCount?: number) => {
    await db
      .updateTable('hook_deliveries')
      .set({ next_attempt_at: 1, ...(attemptCount !== undefined && { attempt_count: attemptCount }) })
      .where('id', '=', id)
      .execute()
    await untilState((await test(bellId)).id, 'succeeded')
  }
  /** Gives a delivery up as if all its attempts but the last had been made. */
  const giveUp = async (id: number) => {
    await untilAttempt(id, 1)
    await hurry(id, pauses.length)
    return untilState(id, 'failed')
  }

  it('makes nine attempts, after pauses that are up to a fifth longer by chance', async () => {
    receiver.answerWith((response) => response.writeHead(500).end())
    const hook = await create()
    const { id } = await test(hook.id)
    const parts: number[] = []
    for (const [before, seconds] of pauses.entries()) {
      const { attempts, state, nextAttemptDate, finishedDate } = await untilAttempt(id, before + 1)
      assert.deepEqual([state, finishedDate], ['waiting', null])
      const next = Date.parse(nextAttemptDate)
      const [first, last] = [Date.parse(attempts.at(-1).startedDate) + seconds * 1000, Date.now() + seconds * 1200]
      assert.ok(next >= first && next <= last, `${seconds} s: ${nextAttemptDate}`)
      parts.push((next - first) / (seconds * 1000))
      await hurry(id)
    }
    assert.ok(
      parts.some((part) => part > 0.01),
      `longer by chance: ${parts.join(' ')}`,
    )
    const failed = await untilState(id, 'failed')
    assert.deepEqual([failed.attemptCount, failed.nextAttemptDate, failed.attempts.length], [9, null, 9])
    assert.ok(failed.finishedDate)
    const { isEnabled, lastFailureDate } = await walk.ask(`GET /v1/hooks/${hook.id}`, 200)
    assert.ok(isEnabled && lastFailureDate, 'a hook of today is not turned off')
    await remove(hook.id)
  })

  it('waits as long as 429 and 503 ask, in seconds or by a date, and no longer than an hour', async () => {
    const hook = await create()
    const answers = async (status: number, retryAfter: string) => {
      receiver.answerWith((response) => response.writeHead(status, { 'retry-after': retryAfter }).end())
      const { attempts, nextAttemptDate } = await untilAttempt((await test(hook.id)).id, 1)
      return [Date.parse(attempts[0].startedDate), Date.parse(nextAttemptDate), Date.now()] as const
    }
    for (const status of [429, 503]) {
      const [started, next, seen] = await answers(status, '999999')
      assert.ok(next >= started + 3_600_000 && next <= seen + 3_600_000, 'an hour at the most')
      const [begun, later, known] = await answers(status, '100')
      assert.ok(later >= begun + 100_000 && later <= known + 100_000, 'seconds')
      const date = new Date(Math.ceil(Date.now() / 1000) * 1000 + 200_000)
      const [first, last, read] = await answers(status, date.toUTCString())
      assert.ok(last >= date.getTime() && last <= date.getTime() + read - first, 'a date')
    }
    const [, next, seen] = await answers(500, '999999')
    assert.ok(next <= seen + 6000, 'no other status asks for a pause')
    await remove(hook.id)
  })

  it('names what went wrong, and does not mind what comes after good headers', async () => {
    const failsBy = async (url: string) => {
      const hook = await create({ url })
      const { attempts, lastError, lastStatus } = await untilAttempt((await test(hook.id)).id, 1)
      await remove(hook.id)
      assert.equal(attempts[0].error, lastError)
      return [lastError, lastStatus]
    }
    assert.deepEqual(await failsBy('https://receiver.invalid/'), ['dns', null])
    assert.deepEqual(await failsBy('http://127.0.0.1:1/'), ['connect', null])
    assert.deepEqual(await failsBy(receiver.url.replace('http:', 'https:')), ['tls', null])
    receiver.answerWith((response) => response.destroy())
    assert.deepEqual(await failsBy(receiver.url), ['reset', null])
    receiver.answerWith((response) => response.writeHead(404).end())
    assert.deepEqual(await failsBy(receiver.url), ['status', 404])
    const before = bell.deliveries.length
    receiver.answerWith((response) => response.writeHead(308, { location: bell.url }).end())
    assert.deepEqual(await failsBy(receiver.url), ['redirect', 308])
    assert.equal(bell.deliveries.length, before, 'it is not followed')
    receiver.answerWith((response) => {
      response.writeHead(204)
      response.flushHeaders()
    })
    assert.deepEqual(await failsBy(receiver.url), [null, 204])
    receiver.answerWith((response) => {
      response.writeHead(200, { 'content-length': 1000 })
      response.write('half of it')
      setTimeout(() => response.destroy(), 50)
    })
    assert.deepEqual(await failsBy(receiver.url), [null, 200])
    receiver.answerWith(undefined)
  })

  it('never reaches metadata services, links, nobody and groups, whatever the operator lists', async () => {
    for (const host of neverAllowed) {
      const json = { name: 'x', url: `https://${host}/`, events: ['*'] }
      const { errors } = await walk.ask('POST /v1/hooks', 422, { json })
      assert.equal(errors[0].source, '/url', host)
      const patched = await walk.ask(`PATCH /v1/hooks/${bellId}`, 422, { json: { url: json.url } })
      assert.equal(patched.errors[0].source, '/url', host)
    }
    const listed = await create({ url: 'https://[fd00::7]/' })
    const moved = await walk.ask(`PATCH /v1/hooks/${listed.id}`, 200, { json: { url: receiver.url } })
    assert.equal(moved.url, receiver.url)
    await untilState((await test(listed.id)).id, 'succeeded')
    await remove(listed.id)
  })

  it('keeps one old secret, that of the last rotation', async () => {
    const first = await create()
    const rotate = async () => walk.ask(`POST /v1/hooks/${first.id}/rotateSecret`, 200, { json: {} })
    const [second, third] = [await rotate(), await rotate()]
    const { webhookId } = await test(first.id)
    const delivery = await receiver.waitFor(({ headers }) => headers['webhook-id'] === webhookId)
    assert.equal(String(delivery.headers['webhook-signature']).split(' ').length, 2)
    verify(third.secret, delivery)
    verify(second.secret, delivery)
    assert.throws(() => verify(first.secret, delivery))
    await walk.ask(`POST /v1/hooks/${first.id}/rotateSecret`, 200, { json: { keepOldHours: 168 } })
    await remove(first.id)
  })

  it('sends at most 20 kB, however much there is to say', async () => {
    const hook = await create({ events: ['build.distributed'], includes: ['installLinks', 'texts', 'people'] })
    const build = await uploadApk(walk.server, { alias: 'shop', headers: { 'X-Service-Branch': 'b'.repeat(200) } })
    await walk.answer(`PATCH /v2/builds/${build.id}`, 200, { json: { releaseNotes: '世'.repeat(10_000) } })
    const ids: number[] = []
    for (let count = 0; count < 60; count++) {
      const json = { name: `${count} ${'世'.repeat(90)}` }
      ids.push((await walk.ask('POST /v1/distributionGroups', 201, { json })).id)
    }
    await walk.answer(`POST /v1/builds/${build.id}/distribute`, 201, { json: { distributionGroupIds: ids } })
    const { text, json } = await receiver.waitFor((delivery) => delivery.json.type === 'build.distributed')
    assert.ok(Buffer.byteLength(text) > 5000 && Buffer.byteLength(text) <= 20_000, String(Buffer.byteLength(text)))
    assert.equal(json.data.links.install, build.installUrl)
    assert.ok(json.data.releaseNotes.length > 0 && json.data.releaseNotes.length <= 1000)
    await remove(hook.id)
  })

  it('turns a hook off as failing after five days without success, and mails the administrators', async () => {
    await join(walk.server, { email: 'ada@example.com', role: 'admin', mailServer })
    await join(walk.server, { email: 'dev@example.com', role: 'developer', mailServer })
    const hook = await create({ url: `${receiver.url}secret-path`, events: ['build.uploaded'] })
    const read = async () => walk.ask(`GET /v1/hooks/${hook.id}`, 200)
    await untilState((await test(hook.id)).id, 'succeeded')
    receiver.answerWith((response) => response.writeHead(500).end())
    const succeededAt = async (last: number) =>
      db
        .updateTable('hooks')
        .set({ enabled_at: Date.now() - 30 * day, last_success_at: last })
        .where('id', '=', hook.id)
        .execute()
    await succeededAt(Date.now() - 4.9 * day)
    const early = await giveUp((await test(hook.id)).id)
    assert.ok((await read()).isEnabled, 'a success within five days keeps it on')
    await succeededAt(Date.now() - 5.1 * day)
    const missed = await uploadApk(walk.server, { alias: 'shop', apk: { versionCode: 7 } })
    const [waiting] = await walk.ask(`GET /v1/hooks/${hook.id}/deliveries?type=build.uploaded`, 200)
    await untilAttempt(waiting.id, 1)
    const late = await giveUp((await test(hook.id)).id)
    const off = await read()
    assert.deepEqual([off.isEnabled, off.disabledReason, off.waitingCount], [false, 'failing', 0])
    assert.ok(off.disabledDate)
    const stopped = await find(waiting.id)
    assert.deepEqual([stopped.state, stopped.nextAttemptDate], ['stopped', null])

    const { decoded } = await mailServer.waitForMail('ada@example.com')
    assert.match(decoded, /none has succeeded for days/)
    assert.ok(decoded.includes(`/hooks/${hook.id}`) && decoded.includes('Packing line'))
    assert.ok(!decoded.includes('secret-path'), 'the address may be a secret')
    const recipients = new Set(mailServer.mails.flatMap((mail) => mail.recipients))
    assert.ok(!recipients.has('dev@example.com'), 'developers do not see hooks')
    assert.ok(!recipients.has('ada@example.com'), 'one mail is enough')

    const count = (await walk.ask(`GET /v1/hooks/${hook.id}/deliveries`, 200)).length
    const later = await uploadApk(walk.server, { alias: 'shop', apk: { versionCode: 8 } })
    receiver.answerWith(undefined)
    const on = await walk.ask(`PATCH /v1/hooks/${hook.id}`, 200, { json: { isEnabled: true } })
    assert.deepEqual([on.isEnabled, on.disabledReason, on.disabledDate], [true, null, null])
    assert.equal((await walk.ask(`GET /v1/hooks/${hook.id}/deliveries`, 200)).length, count, 'nothing by itself')
    const json = { since: hook.createdDate }
    const again = await walk.ask(`POST /v1/hooks/${hook.id}/redeliver`, 202, { json })
    assert.deepEqual(again, { count: 4 }, 'two tests, and the uploads before and after it was turned off')
    for (const { id } of [missed, later]) await receiver.waitFor((delivery) => delivery.json.data.buildId === id)
    for (const { webhookId } of [early, late]) {
      await receiver.waitFor(({ headers }) => headers['webhook-id'] === webhookId, 2)
    }
    await remove(hook.id)
  })

  it('keeps deliveries for 30 days', async () => {
    const [old, young] = [await test(bellId), await test(bellId)]
    for (const [{ id }, days] of [
      [old, 30.1],
      [young, 29.9],
    ] as const) {
      await untilState(id, 'succeeded')
      await db
        .updateTable('hook_deliveries')
        .set({ created_at: Date.now() - days * day })
        .where('id', '=', id)
        .execute()
    }
    await sweepExpired(db, Date.now())
    await walk.ask(`GET /v1/hookDeliveries/${old.id}`, 404)
    await walk.ask(`GET /v1/hookDeliveries/${young.id}`, 200)
  })
})
