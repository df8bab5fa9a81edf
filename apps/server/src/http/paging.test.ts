import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { startServer } from '../testing/start-server.ts'
import { createApplication, uploadApk } from '../testing/upload.ts'

describe('a list', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  const application = await createApplication(server, 'first')
  await createApplication(server, 'second')
  await createApplication(server, 'third')
  for (let count = 0; count < 3; count++) {
    await uploadApk(server, { alias: 'first' })
    await server.call('POST', '/v1/distributionGroups', { json: { name: `group ${count}` } })
    await server.call('POST', '/v1/distributionGroups/1/testers', { json: { emails: [`tester-${count}@example.com`] } })
    await server.call('POST', '/v1/apiTokens', { json: { name: `token ${count}`, role: 'viewer' } })
    const invited = { email: `member-${count}@example.com`, role: 'viewer' }
    const { inviteUrl } = (await server.call('POST', '/v1/invitations', { json: invited })).json
    const token = new URL(inviteUrl).searchParams.get('token')
    const accepted = { token, name: 'Member', password: 'a password of some length' }
    assert.equal((await server.call('POST', '/v1/invitations/accept', { json: accepted, token: null })).status, 201)
  }
  for (let count = 0; count < 3; count++) {
    await server.call('POST', '/v1/invitations', { json: { email: `open-${count}@example.com`, role: 'viewer' } })
  }

  const lists = [
    '/v1/applications',
    `/v1/applications/${application.id}/builds`,
    '/v1/distributionGroups',
    '/v1/distributionGroups/1/testers',
    '/v1/testers',
    '/v1/apiTokens',
    '/v1/members',
    '/v1/invitations',
    '/v1/mails',
  ]

  it('returns the same items page by page as in one piece, newest first', async () => {
    for (const path of lists) {
      const whole: { createdDate?: string }[] = (await server.call('GET', path)).json
      assert.ok(whole.length >= 3, path)
      const dates = whole.map(({ createdDate }) => createdDate ?? '')
      assert.deepEqual(dates, dates.toSorted().toReversed(), path)
      const parts: unknown[] = []
      for (let next: string | undefined = `${path}?limit=2`; next !== undefined;) {
        const answer = await server.call('GET', next)
        assert.equal(answer.headers.get('x-total-count'), String(whole.length), next)
        assert.ok(answer.json.length <= 2)
        parts.push(...answer.json)
        next = /^<https?:\/\/[^/]+([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1]
      }
      assert.deepEqual(parts, whole, path)
    }
  })

  it('refuses invalid limits and cursors', async () => {
    for (const path of lists) {
      for (const query of ['limit=0', 'limit=201', 'limit=two', 'limit=1.5', 'cursor=x', 'limit=2&cursor=-1']) {
        const { status, json } = await server.call('GET', `${path}?${query}`)
        assert.equal(status, 400, `${path}?${query}`)
        assert.match(json.errors[0].source, /^(limit|cursor)$/)
      }
    }
  })
})
