import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { describe, it } from 'node:test'
import type { TestReport, TestRun } from '@fairlead/contract'
import { openTemporaryFolder, startServerProcess, token } from './processes/server-process.ts'
import { readAnswer } from '../scripts/read-json.ts'

const kills = 2
/** The number of cases of a large report: more than one transaction takes, so that a kill can fall between two. */
const largeCases = 5000

interface Upload {
  key: string
  cases: number
  body: string
}

function createUpload(key: string, cases: number): Upload {
  const rows = Array.from({ length: cases }, (_, index) => {
    const failure = index % 50 === 0 ? '<failure message="late">at shop.Cart.pay(Cart.kt:7)</failure>' : ''
    return `<testcase classname="shop.${key}Test" name="case ${index}" time="0.1">${failure}</testcase>`
  })
  return { key, cases, body: `<testsuite name="unit">${rows.join('')}</testsuite>` }
}

describe('a server that is killed while test reports arrive', () => {
  it('shows whole reports only, loses none that it acknowledged, and takes the same bytes again', async () => {
    await using folder = await openTemporaryFolder()
    const dataDir = folder.path
    const uploads = [
      ...Array.from({ length: 2 }, (_, index) => createUpload(`large${index}`, largeCases)),
      ...Array.from({ length: 6 }, (_, index) => createUpload(`small${index}`, 40)),
    ]
    const acknowledged = new Set<string>()
    let applicationId = 0
    for (let kill = 0; kill < kills; kill++) {
      await using server = await startServerProcess({ dataDir })
      applicationId ||= await createApplication(server.url)
      if (kill > 0) await checkRuns(server.url, applicationId, uploads, acknowledged)
      const waiting = uploads.filter(({ key }) => !acknowledged.has(key))
      const { promise: begun, resolve } = Promise.withResolvers<void>()
      const sending = waiting.map(async (upload) => {
        const isTaken = await send(server.url, upload).then(
          () => true,
          () => false,
        )
        if (isTaken) acknowledged.add(upload.key)
        resolve()
      })
      await Promise.race([begun, setTimeout(20_000)])
      // Some reports are stored by now, and the rows of a large one are being written.
      await setTimeout(kill * 100)
      await server.end('SIGKILL')
      await Promise.all(sending)
      assert.ok(kill > 0 || acknowledged.size < uploads.length, 'the kill came too late')
      if (acknowledged.size === uploads.length) break
    }

    await using server = await startServerProcess({ dataDir })
    await checkRuns(server.url, applicationId, uploads, acknowledged)
    for (const upload of uploads) {
      const report = await send(server.url, upload)
      if (acknowledged.has(upload.key)) assert.equal(report.duplicate, true)
      assert.equal(report.run.counts.cases, upload.cases)
      acknowledged.add(upload.key)
    }
    await checkRuns(server.url, applicationId, uploads, acknowledged)
  })
})

/** Checks that each run that is shown has all cases of its report, and that each acknowledged run is shown. */
async function checkRuns(url: string, applicationId: number, uploads: Upload[], acknowledged: Set<string>) {
  const page = await get<TestRun>(url, `/v1/applications/${applicationId}/testRuns`)
  for (const { key, counts, id } of page.items) {
    const upload = uploads.find((one) => one.key === key)
    assert.equal(counts.cases, upload?.cases, `run ${key}`)
    const { total } = await get(url, `/v1/testRuns/${id}/results?limit=1`)
    assert.equal(total, upload?.cases, `results of ${key}`)
    assert.equal(counts.failed, Math.ceil((upload?.cases ?? 0) / 50))
  }
  const shown = new Set(page.items.map(({ key }) => key))
  assert.equal(shown.size, page.items.length, 'a run is there twice')
  for (const key of acknowledged) assert.ok(shown.has(key), `the report of ${key} was acknowledged`)
}

async function createApplication(url: string): Promise<number> {
  const answer = await fetch(`${url}/v1/applications`, {
    method: 'POST',
    headers: { 'X-Service-Token': token, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Ledger', alias: 'ledger', platform: 'android' }),
  })
  assert.equal(answer.status, 201)
  return (await readAnswer<{ id: number }>(answer)).id
}

async function send(url: string, { key, body }: Upload): Promise<TestReport> {
  const answer = await fetch(`${url}/v1/testReports`, {
    method: 'POST',
    headers: { 'X-Service-Token': token, 'X-Service-Application-Alias': 'ledger', 'X-Service-Run-Key': key },
    body,
  })
  assert.equal(answer.status, 201)
  return await readAnswer<TestReport>(answer)
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the items
async function get<Item>(url: string, path: string): Promise<{ items: Item[]; total: number }> {
  const answer = await fetch(url + path, { headers: { 'X-Service-Token': token } })
  assert.equal(answer.status, 200)
  return { items: await readAnswer<Item[]>(answer), total: Number(answer.headers.get('X-Total-Count')) }
}
