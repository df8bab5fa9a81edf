/** Every real report of the shared fixtures has the content that an independent reader found in it. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { ReportsError } from '../src/index.ts'
import type { Counts, Outcome } from '../src/report.ts'
import { findReportFixtures } from './fixtures.ts'
import { type ReadUpload, readUpload } from './read-upload.ts'

interface TruthCase {
  suite: string | null
  class: string | null
  name: string
  parameters?: string
  environment?: string
  outcome: Outcome
  durationMs: number | null
  attempts: Outcome[]
}
type Truth =
  | { expect: 201; format: string; counts: Counts; warnings: string[]; cases?: TruthCase[] }
  | { expect: 422; mayAccept?: boolean }
interface Pair {
  what: string
  files: [string, string]
  equal: string[]
}

const found = findReportFixtures()
const fixtures = found !== undefined && existsSync(join(found, 'truth.json')) ? found : undefined

/** Reports whose own totals are larger than what they hold. The truth has no warning for them. */
const largerTotals = new Set([
  'files/a7ex__junit_session_level_failure.xml',
  'files/action-junit-report__multi-level.xml',
  'files/junit-plugin__junit-report-errror-details.xml',
  'files/junit-plugin__junit-report-nested-testsuites.xml',
  'files/publish-unit-test-result-action__no-cases-but-tests.xml',
  'files/test-results-parser__junit-nested-testsuite.xml',
  'files/test-results-parser__warnings-junit.xml',
])

const toLine = (text: string | null | undefined) => text?.replaceAll(/\s+/g, ' ').trim().slice(0, 1000) || null

/** Lists one line for each case, sorted, because the order of the cases in a database does not matter. */
function listTruth(cases: TruthCase[], withParameters: boolean): string[] {
  const lines = cases.map((one) => {
    const names = [one.suite, one.class, one.name, one.environment].map(toLine)
    const duration = one.durationMs === null ? null : Math.round(one.durationMs)
    return JSON.stringify([
      ...names,
      withParameters ? toLine(one.parameters) : null,
      one.outcome,
      duration,
      one.attempts,
    ])
  })
  return lines.sort()
}

function toTruth({ cases }: ReadUpload): TruthCase[] {
  return cases.map((one) => ({
    ...one,
    parameters: one.parameters ?? '',
    environment: one.environment ?? '',
    attempts: one.attempts.map(({ outcome }) => outcome),
  }))
}

describe('a real report', { skip: fixtures === undefined && 'the shared fixtures are not there' }, () => {
  const read = (path: string) => readFileSync(join(fixtures ?? '', path), 'utf8')
  const truths: Record<string, Truth> = fixtures === undefined ? {} : JSON.parse(read('truth.json'))
  const files = fixtures === undefined ? [] : read('MANIFEST.tsv').trim().split('\n').slice(1)
  for (const file of files.map((line) => line.split('\t')[0] ?? '')) {
    it(`has the content that the independent reader found: ${file}`, async () => {
      const truth = truths[file] ?? assert.fail('no truth')
      const bytes = readFileSync(join(fixtures ?? '', file))
      if (truth.expect === 422) {
        if (!truth.mayAccept) await assert.rejects(readUpload(bytes), ReportsError)
        return
      }
      const report = await readUpload(bytes)
      assert.deepEqual(report.counts, truth.counts)
      assert.equal(report.unlisted > 0, largerTotals.has(file), `${report.unlisted} are announced and not held`)
      const codes = new Set<string>(report.warnings.map(({ code }) => code))
      assert.deepEqual(
        truth.warnings.filter((code) => !codes.has(code)),
        [],
      )
      // The independent reader ignores attachments of JSON formats and Allure's parameters, and does not cut names.
      const others = [...codes].filter((code) => !['attachmentMissing', 'nameCut'].includes(code))
      assert.deepEqual(
        others.filter((code) => !truth.warnings.includes(code)),
        [],
      )
      const withParameters = !truth.format.includes('allure')
      if (truth.cases) {
        assert.deepEqual(listTruth(toTruth(report), withParameters), listTruth(truth.cases, withParameters))
      }
    })
  }

  const pairs: Pair[] = fixtures === undefined ? [] : JSON.parse(read('pairs.json'))
  for (const { what, files, equal } of pairs) {
    it(`is equal in two formats: ${what}`, async () => {
      const [a, b] = await Promise.all(files.map((file) => readUpload(readFileSync(join(fixtures ?? '', file)))))
      assert.ok(a && b)
      for (const field of equal) assert.deepEqual(readField(a, field), readField(b, field), field)
    })
  }
})

function readField(report: ReadUpload, field: string): unknown {
  if (field === 'counts') return report.counts
  if (field in report.counts) return new Map<string, unknown>(Object.entries(report.counts)).get(field)
  const values = toTruth(report).map((one) =>
    JSON.stringify(new Map<string, unknown>(Object.entries(one)).get(field) ?? null),
  )
  return values.sort()
}
