import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createPng } from '../../apps/server/src/testing/pictures.ts'
import { createApplication, uploadIpa } from '../../apps/server/src/testing/upload.ts'
import { userAgents } from '../../apps/server/src/testing/user-agents.ts'
import { answerDeviceQuestion, readDeviceQuestion } from '../processes/device-message.ts'
import { hasFields, startWalk, type Walk } from './walk.ts'

const udid = '00008110-001A2B3C4D5E6F70'

describe('The API of testers, feedback and devices', () => {
  let walk: Walk
  let application: { id: number }
  let build: { id: number; installUrl: string }
  // oxlint-disable-next-line typescript/no-explicit-any -- the shape is what is tested
  let tester: any
  before(async () => {
    walk = await startWalk()
    application = await createApplication(walk.server, 'shop', 'ios')
    build = await uploadIpa(walk.server, {
      alias: 'shop',
      ipa: { profile: { type: 'ad-hoc', devices: ['a'.repeat(40)] } },
    })
    const { id } = await walk.ask('POST /v1/distributionGroups', 201, { json: { name: 'QA' } })
    const json = { emails: ['Ada <ada@example.com>'] }
    ;[tester] = await walk.ask(`POST /v1/distributionGroups/${id}/testers`, 201, { json })
    await walk.answer(`POST /v1/builds/${build.id}/distribute`, 201, { json: { distributionGroupIds: [id] } })
  })
  after(() => walk?.[Symbol.asyncDispose]())

  const toPath = (url: string) => new URL(url).pathname
  const visit = (path: string, status: number, headers: Record<string, string> = {}) =>
    walk.answer(`GET ${path}`, status, { token: null, headers })

  it('gives each tester a page, whose address developers renew', async () => {
    const { ask, developer, viewer } = walk
    hasFields(tester, 'pageUrl isUnsubscribed')
    const [seen] = await ask('GET /v1/testers', 200, { token: viewer })
    assert.equal(seen.pageUrl, null)
    assert.match(tester.pageUrl, /\/testers\/[^/]+$/)
    const old = toPath(tester.pageUrl)
    const page = await visit(old, 200, { 'user-agent': userAgents.iphone })
    assert.match(page.text, new RegExp(`<article[^>]* data-build-id="${build.id}"`))
    const [listed] = (await visit(`${old}/builds.json`, 200)).json
    hasFields(listed, 'id name platform shortVersion version uploadedDate isInstalled installUrl')
    await ask(`POST /v1/testers/${tester.id}/renewLink`, 403, { token: viewer })
    tester = await ask(`POST /v1/testers/${tester.id}/renewLink`, 200, { token: developer })
    await visit(old, 404)
    await visit(`${old}/builds.json`, 404)
    await visit(toPath(tester.pageUrl), 200)
  })

  it('says how far testers are with a build, and reminds them', async () => {
    const { ask, developer, viewer } = walk
    const [status] = await ask(`GET /v1/builds/${build.id}/testers`, 200, { token: viewer })
    hasFields(
      status,
      `testerId email name groups state toldDate mailState openedDate installedDate remindedDate isUnsubscribed`,
    )
    assert.deepEqual([status.testerId, status.email, status.name], [tester.id, 'ada@example.com', 'Ada'])
    const path = `POST /v1/builds/${build.id}/remind`
    await ask(path, 403, { json: { states: ['none'] }, token: viewer })
    await ask(path, 400, { json: { states: ['asleep'] } })
    const states = ['none', 'told', 'opened']
    const first = await ask(path, 202, { json: { states }, token: developer })
    assert.deepEqual(first, { count: 1, skipped: { unsubscribed: 0, recent: 0, exhausted: 0 } })
    const second = await ask(path, 202, { json: { states } })
    assert.deepEqual(second, { count: 0, skipped: { unsubscribed: 0, recent: 1, exhausted: 0 } })
    await walk.answer('GET /unsubscribe/nobody', 404, { token: null })
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    await walk.answer('POST /unsubscribe/nobody', 404, {
      token: null,
      headers: form,
      body: 'List-Unsubscribe=One-Click',
    })
  })

  it('takes feedback by the three kinds of pages', async () => {
    const { ask, answer, developer, viewer } = walk
    const [{ installUrl: personal }] = (await visit(`${toPath(tester.pageUrl)}/builds.json`, 200)).json
    const link = await ask(`POST /v1/applications/${application.id}/latestLinks`, 201, { json: { name: 'Wall' } })
    const send = (url: string, status: number, fields: Record<string, string | Blob>, accept = 'application/json') => {
      const body = new FormData()
      for (const [name, value] of Object.entries(fields)) body.append(name.replace(/\d$/, ''), value)
      return answer(`POST ${toPath(url)}/feedback`, status, { token: null, headers: { accept }, body })
    }
    for (const url of [build.installUrl, personal, link.url]) {
      hasFields((await send(url, 201, { text: 'It works', other: 'ignored' })).json, 'id')
      await send(url, 303, { text: 'It works' }, 'text/html')
    }
    const picture = new Blob([new Uint8Array(createPng({ width: 4, height: 2 }))])
    const sent = (await send(personal, 201, { text: 'See', pictures: picture, contact: 'ada' })).json
    const source = async (fields: Record<string, string | Blob>) =>
      (await send(build.installUrl, 422, fields)).json.errors.map((fault: { source: string }) => fault.source)
    assert.deepEqual(await source({ text: '' }), ['text'])
    assert.deepEqual(await source({ text: 'x'.repeat(5001) }), ['text'])
    assert.deepEqual(await source({ text: 'x', pictures: new Blob(['<svg/>']) }), ['pictures/0'])
    const wide = new Blob([new Uint8Array(createPng({ width: 12_001, height: 1 }))])
    assert.deepEqual(await source({ text: 'x', pictures0: picture, pictures1: wide }), ['pictures/1'])
    await send(build.installUrl, 413, { text: 'x', pictures: new Blob([new Uint8Array(26 * 2 ** 20)]) })
    const feedback = await ask(`GET /v1/feedback/${sent.id}`, 200, { token: viewer })
    hasFields(feedback, 'id applicationId buildId tester contact text userAgent pictures status createdDate')
    assert.deepEqual(feedback.tester, { id: tester.id, email: 'ada@example.com', name: 'Ada' })
    hasFields(feedback.pictures[0], 'url contentType size width height')
    const shown = await answer(`GET ${toPath(feedback.pictures[0].url)}`, 200)
    assert.equal(shown.headers.get('content-type'), 'image/png')
    assert.equal(shown.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(shown.headers.get('content-security-policy'), "default-src 'none'; sandbox")
    await answer(`GET ${toPath(feedback.pictures[0].url)}`, 401, { token: null })
    await ask(`GET /v1/feedback/${sent.id}/pictures/2`, 404)
    assert.equal((await ask(`GET /v1/builds/${build.id}/feedback`, 200)).length, 7)
    assert.equal((await ask(`GET /v1/applications/${application.id}/feedback?status=open`, 200)).length, 7)
    await ask(`PATCH /v1/feedback/${sent.id}`, 403, { json: { status: 'done' }, token: viewer })
    const done = await ask(`PATCH /v1/feedback/${sent.id}`, 200, { json: { status: 'done' }, token: developer })
    assert.equal(done.status, 'done')
    assert.equal((await ask(`GET /v1/applications/${application.id}/feedback?status=done`, 200)).length, 1)
    await ask(`GET /v1/applications/${application.id}/feedback?status=lost`, 400)
    await ask(`DELETE /v1/feedback/${sent.id}`, 403, { token: developer })
    await answer(`DELETE /v1/feedback/${sent.id}`, 204)
    const gone = await ask(`GET /v1/feedback/${sent.id}`, 404)
    assert.equal(gone.detail, 'The feedback with the given ID does not exist')
    let isFull = false
    for (let count = 0; count < 11 && !isFull; count++) {
      const body = new FormData()
      body.append('text', 'again')
      const full = await walk.server.call('POST', `${toPath(build.installUrl)}/feedback`, {
        token: null,
        headers: { accept: 'application/json' },
        body,
      })
      isFull = full.status === 429
      if (isFull) assert.match(full.headers.get('retry-after') ?? '', /^\d+$/)
    }
    assert.ok(isFull, 'an eleventh one within the hour')
  })

  it('takes devices by a profile, lists and exports them', async () => {
    const { ask, answer, developer, viewer } = walk
    const path = `${toPath(tester.pageUrl)}/device.mobileconfig`
    const profile = await visit(path, 200)
    assert.equal(profile.headers.get('content-type'), 'application/x-apple-aspen-config')
    const question = readDeviceQuestion(profile.bytes)
    assert.match(question.url, /\/devices\/[^/]+$/)
    const [{ installUrl }] = (await visit(`${toPath(tester.pageUrl)}/builds.json`, 200)).json
    await visit(`${toPath(installUrl)}/device.mobileconfig`, 200)
    const device = { UDID: udid, PRODUCT: 'iPhone14,2', VERSION: '22A3354' }
    const local = { ...question, url: walk.server.url + toPath(question.url) }
    assert.equal(await answerDeviceQuestion(local, device), tester.pageUrl)
    assert.equal(await answerDeviceQuestion(local, device), tester.pageUrl)
    const post = (to: string, status: number, body: string | Uint8Array<ArrayBuffer>) =>
      answer(`POST ${to}`, status, { token: null, body })
    await assert.rejects(answerDeviceQuestion(local, { ...device, UDID: 'b'.repeat(40) }), /410/)
    await post(toPath(question.url), 422, 'no message')
    await post('/devices/unknown', 404, 'no message')
    await post(toPath(question.url), 413, new Uint8Array(64 * 1024 + 1))
    await ask('GET /v1/devices', 403, { token: viewer })
    const [listed] = await ask('GET /v1/devices', 200, { token: developer })
    hasFields(listed, 'id tester udid product osVersion name isAppleSigned apple createdDate')
    hasFields(listed.tester, 'id email name')
    assert.deepEqual(listed.apple, { state: 'none', detail: null })
    assert.deepEqual(await ask(`GET /v1/testers/${tester.id}/devices`, 200), [listed])
    const [of] = await ask(`GET /v1/builds/${build.id}/devices`, 200, { token: developer })
    hasFields(of, 'deviceId testerId udid isInProfile')
    assert.equal(of.isInProfile, false)
    const exported = await answer(`GET /v1/devices/export?missingIn=${build.id}`, 200)
    assert.match(exported.headers.get('content-type') ?? '', /^text\/plain/)
    const row = `${udid}\t${String(listed.name)}\tios\n`
    assert.equal(exported.text, `Device ID\tDevice Name\tDevice Platform\n${row}`)
    assert.equal((await ask(`PATCH /v1/devices/${listed.id}`, 200, { json: { name: 'Lab' } })).name, 'Lab')
    await ask(`POST /v1/devices/${listed.id}/register`, 403, { token: developer })
    await ask(`POST /v1/devices/${listed.id}/register`, 422)
    const key = { issuerId: '57246542-96fe-1a63-e053-0824d011072a', keyId: '2X9R4HXF34', privateKey: 'x' }
    await ask('PUT /v1/appStoreConnect', 403, { json: key, token: developer })
    await ask('PUT /v1/appStoreConnect', 422, { json: key })
    await ask('GET /v1/appStoreConnect', 404)
    await ask('DELETE /v1/appStoreConnect', 404)
    await ask(`DELETE /v1/devices/${listed.id}`, 403, { token: developer })
    await answer(`DELETE /v1/devices/${listed.id}`, 204)
    const gone = await ask(`PATCH /v1/devices/${listed.id}`, 404, { json: { name: 'x' } })
    assert.equal(gone.detail, 'The device with the given ID does not exist')
  })
})
