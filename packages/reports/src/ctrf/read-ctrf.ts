/** Reads the Common Test Report Format: `results.tests`, each with its attempts. Durations are in milliseconds. */
import type { Row, RowAttachment, RowAttempt, RowSink } from '../cases/row.ts'
import {
  getNumber,
  getObjects,
  getString,
  getStrings,
  getValue,
  isObject,
  type JsonObject,
} from '../json/json-value.ts'
import type { ReportLimits } from '../limits.ts'
import type { Outcome } from '../report.ts'
import { ReportsError } from '../reports-error.ts'
import { cleanText } from '../text/clean-text.ts'
import { toMilliseconds } from '../text/duration.ts'
import { findPlace } from '../text/find-place.ts'
import type { Warn } from '../warnings.ts'

/** Nobody has that many tests, and sums of it stay exact. */
const maxAnnounced = 1_000_000_000

const outcomes: Record<string, Outcome | undefined> = Object.assign(Object.create(null), {
  passed: 'passed',
  failed: 'failed',
  skipped: 'skipped',
  pending: 'skipped',
})

export function isCtrf(value: JsonObject): boolean {
  const results = getValue(value, 'results')
  return isObject(results) && Object.hasOwn(results, 'tests')
}

export function readCtrf(value: JsonObject, sink: RowSink, limits: ReportLimits, warn: Warn): void {
  const results = getValue(value, 'results')
  const tests = isObject(results) ? getValue(results, 'tests') : undefined
  if (!Array.isArray(tests)) throw new ReportsError('malformed', '"results.tests" is not an array.')
  if (tests.length > limits.maxCases) throw new ReportsError('too-large', `It has more than ${limits.maxCases} tests.`)
  const judge = createJudge(warn)
  for (const [index, test] of tests.entries()) {
    if (!isObject(test)) throw new ReportsError('malformed', `"results.tests[${index}]" is not an object.`)
    sink.add(toRow(test, index, limits, judge))
  }
  const unlisted = countUnlisted(results, tests)
  if (unlisted > 0) sink.addUnlisted(unlisted)
  if (tests.length === 0) warn('noCases', null, 'The report has no test.')
}

/** Compares the totals of `summary` with the tests. Some reporters count attempts, so those count as well. */
function countUnlisted(results: unknown, tests: unknown[]): number {
  const summary = isObject(results) ? getValue(results, 'summary') : undefined
  if (!isObject(summary)) return 0
  let attempts = 0
  let failed = 0
  for (const test of tests.filter(isObject)) {
    const retries = Math.max(getObjects(test, 'retryAttempts').length, getNumber(test, 'retries') ?? 0)
    attempts += 1 + retries
    failed += retries + (getString(test, 'status') === 'passed' ? 0 : 1)
  }
  const announced = (key: string) => Math.min(Math.floor(getNumber(summary, key) ?? 0), maxAnnounced)
  return Math.max(0, announced('tests') - attempts, announced('failed') - failed)
}

type Judge = (test: JsonObject, place: string) => Outcome

function createJudge(warn: Warn): Judge {
  return (test, place) => {
    const status = getString(test, 'status')
    if (status === null) throw new ReportsError('malformed', `"${place}.status" is not a text.`)
    const outcome = outcomes[status]
    if (outcome) return outcome
    warn('unknownStatus', null, `${place} has the status ${JSON.stringify(status.slice(0, 100))}.`)
    return status === 'other' ? 'skipped' : 'failed'
  }
}

function toRow(test: JsonObject, index: number, limits: ReportLimits, judge: Judge): Row {
  const place = `results.tests[${index}]`
  const name = getString(test, 'name')
  if (name === null) throw new ReportsError('malformed', `"${place}.name" is not a text.`)
  const suite = getStrings(test, 'suite').map(cleanText).join(' > ')
  const retries = getObjects(test, 'retryAttempts')
  const attempts = listAttempts(test, retries, place, limits, judge)
  // Each entry of `retryAttempts` is an attempt, of which the test itself is the last.
  const owners = [...retries.map((part, attempt) => ({ part, attempt })), { part: test, attempt: attempts.length - 1 }]
  return {
    suite: suite === '' ? null : suite,
    class: null,
    name: cleanText(name),
    parameters: null,
    file: cleanOrNull(getString(test, 'filePath')),
    environment: null,
    testId: null,
    durationMs: toMilliseconds(getValue(test, 'duration')),
    attempts,
    repetition: null,
    outputs: [test, ...retries].flatMap((part) => listOutputs(part)),
    attachments: owners.flatMap(({ part, attempt }) =>
      getObjects(part, 'attachments').flatMap((attachment) => toAttachment(attachment, attempt)),
    ),
  }
}

/** `retryAttempts` may include the last attempt. It then has one entry more than there were retries. */
function listAttempts(
  test: JsonObject,
  retries: JsonObject[],
  place: string,
  limits: ReportLimits,
  judge: Judge,
): RowAttempt[] {
  const count = getNumber(test, 'retries') ?? 0
  const last = toAttempt(test, judge(test, place))
  if (retries.length > 0) {
    const before = count > 0 && retries.length > count ? retries.slice(0, -1) : retries
    return [...before.map((retry, index) => toAttempt(retry, judge(retry, `${place}.retryAttempts[${index}]`))), last]
  }
  const failedBefore = Math.max(0, Math.floor(count), getValue(test, 'flaky') === true ? 1 : 0)
  if (failedBefore > limits.maxPartsPerCase) throw new ReportsError('too-large', `"${place}.retries" is too large.`)
  const failed: RowAttempt = { outcome: 'failed', durationMs: null, failures: [], skipReason: null }
  return [...Array.from({ length: failedBefore }, () => failed), last]
}

function toAttempt(part: JsonObject, outcome: Outcome): RowAttempt {
  const message = cleanOrNull(getString(part, 'message'))
  // Playwright's piece of source marks the line that failed, which its trace does not show.
  const text = cleanText([getString(part, 'trace'), getString(part, 'snippet')].filter(Boolean).join('\n\n'))
  const line = getNumber(part, 'line')
  const file = getString(part, 'filePath')
  const place =
    findPlace(text, null) ?? (file !== null && line !== null ? { file, line } : findPlace(message ?? '', null))
  const hasFailed = outcome === 'failed' && (message !== null || text !== '')
  return {
    outcome,
    durationMs: toMilliseconds(getValue(part, 'duration')),
    failures: hasFailed ? [{ kind: 'failure', type: null, message, text, place }] : [],
    skipReason: outcome === 'skipped' ? message : null,
  }
}

function listOutputs(part: JsonObject): Row['outputs'] {
  const join = (key: string) => cleanText(getStrings(part, key).join('\n'))
  const outputs: Row['outputs'] = [
    { stream: 'out', text: join('stdout') },
    { stream: 'err', text: join('stderr') },
  ]
  return outputs.filter(({ text }) => text !== '')
}

function toAttachment(attachment: JsonObject, attempt: number): RowAttachment[] {
  const path = getString(attachment, 'path')
  if (path === null || path === '') return []
  const name = cleanOrNull(getString(attachment, 'name'))
  return [{ name, path: cleanText(path), contentType: getString(attachment, 'contentType'), attempt }]
}

function cleanOrNull(text: string | null): string | null {
  return text === null ? null : cleanText(text)
}
