import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Build, Feedback } from '@fairlead/contract'
import { createExif, createJpeg, createPng, secretPlace, toJpegExif, toPngChunk } from '../testing/pictures.ts'
import { createSecondWorkspace } from '../testing/second-workspace.ts'
import { sendFeedback } from '../testing/send-feedback.ts'
import { type HookReceiver, startHookReceiver } from '../testing/hook-receiver.ts'
import { type MailServer, startMailServer } from '../testing/mail-server.ts'
import { startServer, type TestServer } from '../testing/start-server.ts'
import { createApplication, uploadApk } from '../testing/upload.ts'

const secretPicture = createPng({
  chunks: [toPngChunk('eXIf', createExif(6)), toPngChunk('tEXt', Buffer.from(secretPlace))],
})

describe('Feedback', () => {
  let server: TestServer
  let receiver: HookReceiver
  let mails: MailServer
  let applicationId: number
  let build: Build
  let groupId: number
  let personalUrl: string
  let blobCount: number

  before(async () => {
    receiver = await startHookReceiver()
    mails = await startMailServer()
    server = await startServer({ FAIRLEAD_HOOKS_ALLOW: receiver.host, FAIRLEAD_SMTP_URL: mails.url })
    for (const includes of [[], ['texts', 'people']]) {
      const json = { name: 'All', url: receiver.url, events: ['feedback.received'], includes }
      assert.equal((await server.call('POST', '/v1/hooks', { json })).status, 201)
    }
    applicationId = (await createApplication(server, 'shop')).id
    build = await uploadApk(server, { alias: 'shop' })
    groupId = (await server.call('POST', '/v1/distributionGroups', { json: { name: 'Beta' } })).json.id
    const json = { emails: ['Ada Holm <ada@example.com>'] }
    await server.call('POST', `/v1/distributionGroups/${groupId}/testers`, { json })
    await server.call('POST', `/v1/builds/${build.id}/distribute`, {
      json: { distributionGroupIds: [groupId], notifyTesters: true },
    })
    const { decoded } = await mails.waitForMail('ada@example.com')
    const path = /\/install\/[^\s"]+\/for\/[\w.-]+/.exec(decoded)?.[0] ?? ''
    personalUrl = server.url + path
    blobCount = (await server.listBlobs()).length
  })
  after(async () => {
    await server[Symbol.asyncDispose]()
    await receiver[Symbol.asyncDispose]()
    await mails[Symbol.asyncDispose]()
  })

  const read = async (id: number): Promise<Feedback> => (await server.call('GET', `/v1/feedback/${id}`)).json
  const list = async (query = ''): Promise<Feedback[]> =>
    (await server.call('GET', `/v1/applications/${applicationId}/feedback${query}`)).json

  it('comes with pictures by the link that everybody has, and lands at the build', async () => {
    const answer = await sendFeedback(server, build.installUrl, {
      text: ' The chart\r\nis empty\u202E. ',
      fields: { contact: 'bob@example.com', grant: 'x', other: 'ignored' },
      pictures: [
        { name: 'evil.svg', bytes: secretPicture },
        { name: 'b.png', bytes: createJpeg({ segments: [toJpegExif(3)] }) },
      ],
      headers: { 'User-Agent': 'Phone/1.0' },
    })
    assert.equal(answer.status, 201, answer.text)
    const feedback = await read(answer.json.id)
    const { pictures, createdDate, ...rest } = feedback
    assert.ok(Date.parse(createdDate) > 0)
    assert.deepEqual(rest, {
      id: answer.json.id,
      applicationId,
      buildId: build.id,
      tester: null,
      contact: 'bob@example.com',
      text: 'The chart\nis empty.',
      userAgent: 'Phone/1.0',
      status: 'open',
    })
    assert.deepEqual(
      pictures.map(({ contentType, width, height }) => [contentType, width, height]),
      [
        ['image/png', 4, 2],
        ['image/jpeg', 8, 6],
      ],
    )
    assert.deepEqual(await list(), [feedback])
    assert.deepEqual((await server.call('GET', `/v1/builds/${build.id}/feedback`)).json, [feedback])
    assert.equal((await server.listBlobs()).length, blobCount + 2)
  })

  it('gives its pictures with the type that was found, sandboxed, and to members only', async () => {
    const [feedback] = await list()
    const [picture] = feedback?.pictures ?? []
    const { pathname } = new URL(picture?.url ?? '')
    const answer = await server.call('GET', pathname)
    assert.equal(answer.status, 200)
    const { headers, bytes } = answer
    assert.deepEqual(
      ['content-type', 'x-content-type-options', 'content-security-policy'].map((name) => headers.get(name)),
      ['image/png', 'nosniff', "default-src 'none'; sandbox"],
    )
    assert.match(headers.get('content-disposition') ?? '', /^inline; filename="feedback-\d+-1\.png"$/)
    assert.equal(bytes.length, picture?.size)
    assert.ok(!bytes.includes(secretPlace))
    assert.deepEqual(bytes, createPng({ chunks: [toPngChunk('eXIf', bytes.subarray(41, 67))] }))
    assert.equal((await server.call('GET', pathname, { token: null })).status, 401)
    const stranger = await createSecondWorkspace(server)
    assert.equal((await server.call('GET', pathname, { token: stranger })).status, 404)
    for (const number of ['0', '3', 'x']) {
      assert.equal((await server.call('GET', pathname.replace(/1$/, number))).status, 404)
    }
  })

  it('names the tester of a personal link, and tells hooks no more than they include', async () => {
    const answer = await sendFeedback(server, personalUrl, { text: 'It crashes' })
    assert.equal(answer.status, 201, answer.text)
    const { tester } = await read(answer.json.id)
    assert.deepEqual([tester?.email, tester?.name], ['ada@example.com', 'Ada Holm'])
    const isIt = ({ json }: { json: { data: { feedbackId: number } } }) => json.data.feedbackId === answer.json.id
    await receiver.waitFor(isIt, 2)
    const bodies = receiver.deliveries.filter(isIt).map(({ json }) => json.data)
    const [plain, full] = bodies.toSorted((a, b) => Object.keys(a).length - Object.keys(b).length)
    const facts = { feedbackId: answer.json.id, buildId: build.id, pictureCount: 0, hasTester: true }
    assert.partialDeepStrictEqual(plain, facts)
    assert.ok(!JSON.stringify(plain).includes('ada@') && !JSON.stringify(plain).includes('crashes'))
    assert.partialDeepStrictEqual(full, {
      ...facts,
      text: 'It crashes',
      tester: { id: tester?.id, email: 'ada@example.com' },
    })
    const forged = await sendFeedback(server, `${personalUrl}x`, { text: 'By nobody' })
    assert.equal((await read(forged.json.id)).tester, null)
  })

  it('is marked as done by developers, deleted by administrators, and listed by both', async () => {
    const { json: token } = await server.call('POST', '/v1/apiTokens', { json: { name: 'ci', role: 'developer' } })
    const { json: viewer } = await server.call('POST', '/v1/apiTokens', { json: { name: 'tv', role: 'viewer' } })
    const sent = await sendFeedback(server, build.installUrl, {
      text: 'Done soon',
      pictures: [{ name: 'a.png', bytes: createPng({ width: 6 }) }],
    })
    const path = `/v1/feedback/${sent.json.id}`
    const done = { json: { status: 'done' } }
    assert.equal((await server.call('PATCH', path, { ...done, token: viewer.token })).status, 403)
    const marked = await server.call('PATCH', path, { ...done, token: token.token })
    assert.deepEqual([marked.status, marked.json.status], [200, 'done'])
    assert.equal((await server.call('PATCH', path, { json: { status: 'lost' } })).status, 400)
    const ids = (await list('?status=done')).map(({ id }) => id)
    assert.deepEqual(ids, [sent.json.id])
    assert.ok((await list('?status=open')).every(({ id }) => id !== sent.json.id))
    const page = await server.call('GET', `/v1/applications/${applicationId}/feedback?limit=2`)
    assert.equal(page.json.length, 2)
    assert.equal(Number(page.headers.get('x-total-count')), (await list()).length)
    assert.match(page.headers.get('link') ?? '', /cursor=\d+>; rel="next"/)
    const before = (await server.listBlobs()).length
    assert.equal((await server.call('DELETE', path, { token: token.token })).status, 403)
    assert.equal((await server.call('DELETE', path)).status, 204)
    assert.equal((await server.listBlobs()).length, before - 1)
    const again = await server.call('DELETE', path)
    assert.deepEqual([again.status, again.json.detail], [404, 'The feedback with the given ID does not exist'])
    const { json: events } = await server.call('GET', '/v1/auditEvents')
    assert.ok(['feedback.update', 'feedback.delete'].every((action) => JSON.stringify(events).includes(action)))
  })

  it('is refused with what is wrong, and then leaves nothing', async () => {
    const picture = { name: 'a.png', bytes: createPng() }
    const before = await list()
    const blobs = await server.listBlobs()
    const fault = async (input: Parameters<typeof sendFeedback>[2]) => {
      const { status, json } = await sendFeedback(server, build.installUrl, input)
      return [status, json.errors?.[0]?.source]
    }
    assert.deepEqual(await fault({}), [422, 'text'])
    assert.deepEqual(await fault({ text: ' \n\u0000 ' }), [422, 'text'])
    assert.deepEqual(await fault({ text: 'x'.repeat(5001) }), [422, 'text'])
    assert.deepEqual(await fault({ text: '💡'.repeat(200_000) }), [422, 'text'])
    assert.deepEqual(await fault({ text: 'x', fields: { contact: 'c'.repeat(201) } }), [422, 'contact'])
    const gif = { name: 'a.png', bytes: Buffer.from('GIF89a') }
    assert.deepEqual(await fault({ text: 'x', pictures: [picture, gif] }), [422, 'pictures/1'])
    assert.deepEqual(await fault({ text: 'x', pictures: [{ name: 'a.png', bytes: Buffer.alloc(0) }] }), [
      422,
      'pictures/0',
    ])
    assert.deepEqual(await fault({ text: 'x', pictures: Array.from({ length: 4 }, () => picture) }), [
      422,
      'pictures/3',
    ])
    const large = { name: 'a.png', bytes: Buffer.alloc(10 * 2 ** 20 + 1) }
    assert.deepEqual(await fault({ text: 'x', pictures: [large] }), [413, undefined])
    const nine = { name: 'a.png', bytes: Buffer.alloc(9 * 2 ** 20) }
    assert.deepEqual(await fault({ text: 'x', pictures: [nine, nine, nine] }), [413, undefined])
    const post = async (type: string, body: string) => {
      const headers = { Accept: 'application/json', 'Content-Type': type }
      const path = `${new URL(build.installUrl).pathname}/feedback`
      return (await server.call('POST', path, { token: null, headers, body })).status
    }
    assert.equal(await post('application/json', '{"text":"x"}'), 415)
    assert.equal(await post('multipart/form-data', 'x'), 400)
    for (const body of ['', 'x', '--b', '--b\r\n\r\n', '--b\r\nContent-Disposition: form-data; name="text"\r\n\r\nx']) {
      const status = await post('multipart/form-data; boundary=b', body)
      assert.ok([400, 422].includes(status), `${JSON.stringify(body)} was answered with ${status}`)
    }
    const cut = '--b\r\nContent-Disposition: form-data; name="pictures"; filename="a.png"\r\n\r\nx'
    assert.equal(await post('multipart/form-data; boundary=b', cut), 400)
    assert.deepEqual(await list(), before)
    assert.deepEqual(await server.listBlobs(), blobs)
  })

  it('is answered to a browser by a page: thanks, or the form with what was typed', async () => {
    const accept = 'text/html,*/*;q=0.8'
    const path = new URL(build.installUrl).pathname
    const page = await server.call('GET', path, { token: null, headers: { Accept: accept, 'Accept-Language': 'de' } })
    assert.match(page.text, new RegExp(`action="${path}/feedback\\?grant=`))
    assert.match(page.text, /Feedback senden/)
    assert.match(page.headers.get('content-security-policy') ?? '', /form-action 'self'/)
    const sent = await sendFeedback(server, build.installUrl, { text: 'Hello', accept })
    assert.deepEqual([sent.status, sent.headers.get('location')], [303, `${path}/feedback?sent=1`])
    const thanks = await server.call('GET', sent.headers.get('location') ?? '', { token: null })
    assert.match(thanks.text, /Thank you[\s\S]*href="\/install\//)
    const refused = await sendFeedback(server, build.installUrl, {
      text: '<b>kept & shown</b>',
      accept,
      pictures: [{ name: 'a.png', bytes: Buffer.from('no picture') }],
    })
    assert.equal(refused.status, 422)
    assert.match(refused.text, /&lt;b&gt;kept &amp; shown&lt;\/b&gt;/)
    assert.match(refused.text, /role="alert"[\s\S]*Picture 1 cannot be taken/)
  })

  it('asks for the password of a protected link, which the page has proven already', async () => {
    const other = await uploadApk(server, { alias: 'shop', apk: { versionCode: 2 } })
    await server.call('PATCH', `/v1/builds/${other.id}/installLink`, { json: { password: 'open sesame' } })
    const path = new URL(other.installUrl).pathname
    assert.equal((await sendFeedback(server, other.installUrl, { text: 'x' })).status, 401)
    const page = await server.call('POST', path, {
      token: null,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' },
      body: 'password=open+sesame',
    })
    const [, grant = ''] = /feedback\?grant=([\w.-]+)"/.exec(page.text) ?? []
    assert.equal((await sendFeedback(server, `${other.installUrl}?grant=${grant}`, { text: 'x' })).status, 201)
    const authorization = `Basic ${Buffer.from(':open sesame').toString('base64')}`
    assert.equal((await sendFeedback(server, other.installUrl, { text: 'x', headers: { authorization } })).status, 201)
    await server.call('PATCH', `/v1/builds/${other.id}/installLink`, { json: { isRevoked: true } })
    assert.equal((await sendFeedback(server, `${other.installUrl}?grant=${grant}`, { text: 'x' })).status, 410)
    assert.equal((await sendFeedback(server, `${server.url}/install/nobody`, { text: 'x' })).status, 404)
  })

  it('goes to the build that the page of a latest link has shown', async () => {
    const { json: link } = await server.call('POST', `/v1/applications/${applicationId}/latestLinks`, {
      json: { name: 'Wall', follows: 'uploaded' },
    })
    const first = await uploadApk(server, { alias: 'shop', apk: { versionCode: 3 } })
    const page = await server.call('GET', new URL(link.url).pathname, { token: null, headers: { Accept: 'text/html' } })
    const [, grant = ''] = /feedback\?grant=([\w.-]+)"/.exec(page.text) ?? []
    const second = await uploadApk(server, { alias: 'shop', apk: { versionCode: 4 } })
    const byGrant = await sendFeedback(server, `${link.url}?grant=${grant}`, { text: 'x' })
    const without = await sendFeedback(server, link.url, { text: 'x' })
    assert.deepEqual(
      [(await read(byGrant.json.id)).buildId, (await read(without.json.id)).buildId],
      [first.id, second.id],
    )
  })

  it('is taken from personal links only, or not at all, where the workspace says so', async () => {
    const set = async (feedback: string) => server.call('PATCH', '/v1/workspace', { json: { feedback } })
    assert.equal((await set('testers')).json.feedback, 'testers')
    assert.equal((await sendFeedback(server, build.installUrl, { text: 'x' })).status, 403)
    assert.equal((await sendFeedback(server, personalUrl, { text: 'x' })).status, 201)
    const headers = { Accept: 'text/html' }
    const page = await server.call('GET', new URL(build.installUrl).pathname, { token: null, headers })
    assert.doesNotMatch(page.text, /enctype/)
    await set('off')
    assert.equal((await sendFeedback(server, personalUrl, { text: 'x' })).status, 403)
    assert.equal((await set('never')).status, 400)
    await set('everyone')
  })

  it('goes with its build, and its pictures go too, also by the trash', async () => {
    const doomed = await uploadApk(server, { alias: 'shop', apk: { versionCode: 9 } })
    const before = (await server.listBlobs()).length
    const pictures = [{ name: 'a.png', bytes: createPng({ height: 5 }) }]
    const sent = await sendFeedback(server, doomed.installUrl, { text: 'x', pictures })
    assert.equal((await server.listBlobs()).length, before + 1)
    assert.equal((await server.call('DELETE', `/v1/builds/${doomed.id}`)).status, 204)
    assert.equal((await server.call('GET', `/v1/feedback/${sent.json.id}`)).status, 404)
    const { length } = await server.listBlobs()
    assert.ok(length < before, 'the binary and the picture are gone')
    const application = await createApplication(server, 'gone')
    const last = await uploadApk(server, { alias: 'gone', apk: { packageName: 'com.example.gone' } })
    await sendFeedback(server, last.installUrl, { text: 'x', pictures })
    await server.call('DELETE', `/v1/applications/${application.id}`)
    assert.equal((await server.listBlobs()).length, length)
  })

  it('is limited per address and link, and says when there is room again', async () => {
    const other = await uploadApk(server, { alias: 'shop', apk: { versionCode: 20 } })
    for (let count = 0; count < 12; count++) {
      assert.equal((await sendFeedback(server, other.installUrl)).status, 422, 'what is refused does not count')
    }
    for (let count = 0; count < 10; count++) {
      assert.equal((await sendFeedback(server, other.installUrl, { text: 'x' })).status, 201)
    }
    const refused = await sendFeedback(server, other.installUrl, { text: 'x' })
    assert.equal(refused.status, 429)
    const wait = Number(refused.headers.get('retry-after'))
    assert.ok(wait > 3000 && wait <= 3600, `${wait} s`)
    const page = await sendFeedback(server, other.installUrl, { text: 'x', accept: 'text/html' })
    assert.match(page.text, /Too much feedback for now/)
  })
})

it('Feedback counts to the quota of its workspace', async () => {
  await using server = await startServer({ FAIRLEAD_WORKSPACE_MAX_BYTES: '100000' })
  await createApplication(server, 'shop')
  const build = await uploadApk(server, { alias: 'shop' })
  const pictures = [{ name: 'a.png', bytes: createPng({ chunks: [toPngChunk('tRNS', Buffer.alloc(6))] }) }]
  assert.equal((await sendFeedback(server, build.installUrl, { text: 'x', pictures })).status, 201)
  const before = await server.listBlobs()
  const filler = Buffer.concat([
    createPng().subarray(0, 33),
    toPngChunk('IDAT', Buffer.alloc(100_000)),
    toPngChunk('IEND'),
  ])
  const full = await sendFeedback(server, build.installUrl, { text: 'x', pictures: [{ name: 'b.png', bytes: filler }] })
  assert.deepEqual([full.status, full.json.detail], [422, 'The workspace has reached its quota of 100000 bytes'])
  assert.deepEqual(await server.listBlobs(), before)
})
