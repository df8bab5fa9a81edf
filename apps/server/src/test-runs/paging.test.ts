import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { startServer } from '../testing/start-server.ts'
import { completeRun, uploadReport } from '../testing/test-reports.ts'
import { createApplication } from '../testing/upload.ts'

describe('the lists of tests', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  const { id: applicationId } = await createApplication(server, 'shop')
  const cases = Array.from({ length: 7 }, (_, index) => ({ name: `case ${index}`, seconds: (index % 3) + 1 }))
  const runIds: number[] = []
  for (const commit of ['c1', 'c2', 'c3']) {
    const flaky = cases.map((one, index) => (index < 4 ? { ...one, flaky: ['late'] } : one))
    const { run } = await uploadReport(server, [...flaky, ...flaky], { commit, branch: 'main' })
    await completeRun(server, run.id)
    runIds.push(run.id)
  }

  /** Reads a list page by page, and checks that each page tells the total of all. */
  async function walk(path: string, total: number): Promise<unknown[]> {
    const items: unknown[] = []
    let next: string | undefined = `${path}${path.includes('?') ? '&' : '?'}limit=2`
    while (next !== undefined) {
      const answer: Awaited<ReturnType<typeof server.call>> = await server.call('GET', next)
      assert.equal(answer.status, 200, answer.text)
      assert.equal(answer.headers.get('x-total-count'), String(total))
      assert.ok(answer.json.length <= 2)
      items.push(...answer.json)
      const url = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
      next = url === undefined ? undefined : url.slice(new URL(url).origin.length)
    }
    return items
  }

  it('give the same items page by page as in one piece, in every order', async () => {
    const test = (await server.call('GET', `/v1/applications/${applicationId}/tests?q=case%203`)).json[0]
    const paths: [string, number][] = [
      [`/v1/testRuns/${runIds[0]}/results`, 14],
      [`/v1/testRuns/${runIds[0]}/results?outcome=passed`, 14],
      [`/v1/tests/${test.id}/results`, 6],
      [`/v1/applications/${applicationId}/tests`, 7],
      [`/v1/applications/${applicationId}/tests?sort=name`, 7],
      [`/v1/applications/${applicationId}/tests?sort=p95`, 7],
      [`/v1/applications/${applicationId}/tests?sort=name&q=case`, 7],
      [`/v1/applications/${applicationId}/tests?state=slow`, 7],
      [`/v1/applications/${applicationId}/tests?state=flaky`, 4],
      [`/v1/applications/${applicationId}/testRuns`, 3],
      [`/v1/applications/${applicationId}/failureGroups`, 1],
    ]
    for (const [path, total] of paths) {
      const whole = (await server.call('GET', path)).json
      assert.equal(whole.length, total, path)
      assert.deepEqual(await walk(path, total), whole, path)
    }
  })

  it('sort all tests by name or from the slowest, and lists by state in their own orders only', async () => {
    const root = `/v1/applications/${applicationId}/tests`
    const namesOf = async (query: string) =>
      (await server.call('GET', `${root}?${query}`)).json.map(({ name }: { name: string }) => name)
    assert.deepEqual(
      await namesOf('sort=name'),
      cases.map(({ name }) => name),
    )
    assert.deepEqual((await namesOf('sort=p95')).slice(0, 2), ['case 5', 'case 2'])
    const refused = await server.call('GET', `${root}?sort=name&state=slow`)
    assert.deepEqual([refused.status, refused.json.errors?.[0]?.source], [400, 'sort'])
  })

  it('refuse a cursor that no answer contained', async () => {
    for (const path of [
      `/v1/applications/${applicationId}/tests?sort=name&limit=2&cursor=999999`,
      `/v1/testRuns/${runIds[0]}/results?limit=2&cursor=9999.0.1`,
      `/v1/testRuns/${runIds[0]}/results?limit=2&cursor=x`,
      `/v1/applications/${applicationId}/tests?state=slow&limit=2&cursor=1~2~3`,
      `/v1/applications/${applicationId}/tests?limit=2&cursor=%27`,
    ]) {
      assert.equal((await server.call('GET', path)).status, 400, path)
    }
  })
})
