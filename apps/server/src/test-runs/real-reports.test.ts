/** Every real and hostile report of the shared fixtures, over HTTP. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import type { TestCounts, TestOutcome, TestResult } from '@fairlead/contract'
import { findReportFixtures } from '../testing/fixtures.ts'
import { startServer } from '../testing/start-server.ts'
import { sendReport } from '../testing/test-reports.ts'
import { createApplication } from '../testing/upload.ts'
import { readJson } from '../testing/read-json.ts'

interface TruthCase {
  suite: string | null
  class: string | null
  name: string
  environment?: string
  outcome: TestOutcome
  durationMs: number | null
  attempts: TestOutcome[]
}

interface Truth {
  expect: 201 | 422
  /** The counts if a reader may also accept the file, which is not quite well-formed. */
  mayAccept?: object
  format: string
  counts: TestCounts
  warnings: string[]
  cases?: TruthCase[]
}

const found = findReportFixtures()
const fixtures = found !== undefined && existsSync(join(found, 'truth.json')) ? found : undefined
const toLine = (text: string | null | undefined) => text?.replaceAll(/\s+/g, ' ').trim().slice(0, 1000) || null

function listLines(cases: TruthCase[]): string[] {
  return cases
    .map(({ durationMs, outcome, attempts, ...one }) => {
      const names = [one.suite, one.class, one.name, one.environment].map(toLine)
      return JSON.stringify([...names, outcome, durationMs === null ? null : Math.round(durationMs), attempts])
    })
    .toSorted()
}

function toTruthCase(result: TestResult): TruthCase {
  const { environment, attempts } = result
  return { ...result, environment: environment ?? '', attempts: attempts.map(({ outcome }) => outcome) }
}

describe('a report of the shared fixtures', { skip: fixtures === undefined && 'no shared fixtures' }, async () => {
  if (fixtures === undefined) return
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  const { id } = await createApplication(server, 'shop')
  const read = (path: string) => new Uint8Array(readFileSync(join(fixtures, path)))
  const readLines = (path: string) => Buffer.from(read(path)).toString().trim().split('\n').slice(1)
  const truths = readJson<Record<string, Truth>>(Buffer.from(read('truth.json')).toString())

  for (const [file = ''] of readLines('MANIFEST.tsv').map((line) => line.split('\t'))) {
    it(`has its true results: ${file}`, async () => {
      const truth = truths[file] ?? assert.fail('no truth')
      const answer = await sendReport(server, read(file))
      if (truth.expect === 422) {
        assert.ok(answer.status === 422 || (truth.mayAccept !== undefined && answer.status === 201), answer.text)
        return
      }
      assert.equal(answer.status, 201, answer.text)
      assert.deepEqual(answer.json.counts, truth.counts)
      assert.deepEqual(answer.json.run.counts, truth.counts)
      const results = await server.call('GET', `/v1/testRuns/${answer.json.run.id}/results`)
      assert.equal(results.json.length, truth.counts.cases)
      if (truth.cases) assert.deepEqual(listLines(results.json.map(toTruthCase)), listLines(truth.cases))
    })
  }

  it('is refused with the fault named, or read with the expected counts, when it is hostile', async () => {
    for (const line of readLines('hostile/MANIFEST.tsv')) {
      const [file = '', expect = '', cases = '-', failures = '-'] = line.split('\t')
      // Files over 100 KB are not kept beside the manifest.
      if (!existsSync(join(fixtures, 'hostile', file))) continue
      const answer = await sendReport(server, read(join('hostile', file)))
      assert.match(expect, new RegExp(String(answer.status)), `${file}: ${answer.text}`)
      if (answer.status === 201 && cases !== '-') assert.equal(answer.json.counts.cases, Number(cases), file)
      if (answer.status === 201 && failures !== '-') assert.equal(answer.json.counts.failed, Number(failures), file)
      if (answer.status === 422) assert.equal(typeof answer.json.errors[0].source, 'string', file)
    }
    assert.equal((await server.call('GET', `/v1/applications/${id}`)).status, 200)
  })
})
