import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { Badge, CodeOwners, type Test } from '@fairlead/contract'
import { startServer } from '../testing/start-server.ts'
import { completeRun, uploadReport } from '../testing/test-reports.ts'
import { createApplication } from '../testing/upload.ts'

const report = (...files: string[]) =>
  `<testsuite name="s">${files.map((file) => `<testcase name="works" file="${file}"/>`).join('')}</testsuite>`

describe('the test settings of an application', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  const { id } = await createApplication(server, 'shop')
  const send = async (body: string, branch: string) => {
    const { run } = await uploadReport(server, body, { branch, commit: branch })
    await completeRun(server, run.id)
  }
  /** A job finds the owners soon after a run or the CODEOWNERS file has arrived. */
  const waitForOwners = async (wanted: Record<string, string | null>) => {
    for (let tries = 0; ; tries++) {
      const tests: Test[] = (await server.call('GET', `/v1/applications/${id}/tests`)).json
      const owners = Object.fromEntries(tests.map(({ file, owner }) => [file, owner]))
      try {
        return assert.deepEqual(owners, wanted)
      } catch (error) {
        if (tries === 200) throw error
      }
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
  }

  it('give tests their owners by CODEOWNERS, unless one is set by hand', async () => {
    const path = `/v1/applications/${id}/owners`
    assert.deepEqual(CodeOwners.parse((await server.call('GET', path)).json), { content: '', updatedDate: null })
    await send(report('cart/a.ts', 'menu/b.ts'), 'main')
    const replaced = await server.call('PUT', path, { json: { content: '/cart/ @shop/cart\n' } })
    assert.equal(replaced.status, 200, replaced.text)
    await waitForOwners({ 'cart/a.ts': '@shop/cart', 'menu/b.ts': null })
    await send(report('cart/a.ts', 'menu/b.ts', 'cart/new.ts'), 'main')
    await waitForOwners({ 'cart/a.ts': '@shop/cart', 'menu/b.ts': null, 'cart/new.ts': '@shop/cart' })
    const [newest] = (await server.call('GET', `/v1/applications/${id}/tests?limit=1`)).json
    await server.call('PATCH', `/v1/tests/${newest.id}`, { json: { owner: 'ada' } })
    await server.call('PUT', path, { json: { content: '* @all\n/menu/' } })
    await waitForOwners({ 'cart/a.ts': '@all', 'menu/b.ts': null, 'cart/new.ts': 'ada' })
    const crowded = await server.call('PUT', path, { json: { content: '* @all\n'.repeat(5001) } })
    assert.equal(crowded.status, 400)
  })

  it('include a badge of the default branch at an address that can be revoked', async () => {
    const path = `/v1/applications/${id}/badge`
    assert.deepEqual(Badge.parse((await server.call('GET', path)).json), { url: null })
    const { url } = Badge.parse((await server.call('POST', path)).json)
    assert.equal(Badge.parse((await server.call('POST', path)).json).url, url)
    assert.ok(url !== null)
    const get = () => server.call('GET', new URL(url).pathname, { token: null })
    const passed = await get()
    assert.match(passed.headers.get('content-type') ?? '', /^image\/svg\+xml/)
    assert.match(passed.headers.get('cache-control') ?? '', /no-cache/)
    assert.match(passed.text, />3 passed</)
    await send('<testsuite name="s"><testcase name="breaks"><failure message="x"/></testcase></testsuite>', 'other')
    assert.match((await get()).text, />3 passed</)
    const getBranch = async (query: string) => {
      const answer = await server.call('GET', `${new URL(url).pathname}?${query}`, { token: null })
      return />([^<]*)<\/text>\s*<\/g>/.exec(answer.text)?.[1] ?? answer.status
    }
    assert.deepEqual(await Promise.all(['branch=other', 'branch=main', 'branch=gone', 'branch='].map(getBranch)), [
      '1 of 1 failed',
      '3 passed',
      'no tests',
      400,
    ])
    await send('<testsuite name="s"><testcase name="breaks"><failure message="x"/></testcase></testsuite>', 'main')
    assert.match((await get()).text, />1 of 1 failed</)
    assert.equal((await server.call('DELETE', path)).status, 204)
    assert.equal((await get()).status, 404)
    for (const name of ['x.svg', 'a'.repeat(22), '%00.svg']) {
      assert.equal((await server.call('GET', `/badge/${name}`, { token: null })).status, 404)
    }
  })
})
