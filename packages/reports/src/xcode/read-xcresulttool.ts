/**
 * Reads `xcresulttool get test-results tests`, a tree of plans, bundles, suites, cases, arguments and repetitions, and
 * `… summary`, which names the failed tests only.
 */
import type { Row, RowAttempt, RowSink } from '../cases/row.ts'
import { getNumber, getObjects, getString, getValue, isObject, type JsonObject } from '../json/json-value.ts'
import type { ReportLimits } from '../limits.ts'
import type { Outcome } from '../report.ts'
import { ReportsError } from '../reports-error.ts'
import { cleanText } from '../text/clean-text.ts'
import { parseDuration, secondsToMs } from '../text/duration.ts'
import { findPlace } from '../text/find-place.ts'
import { splitIdentifier, toXcodeOutcome } from './xcode-test.ts'
import type { Warn } from '../warnings.ts'

interface Scope {
  bundle: string | null
  suiteIdentifier: string | null
  device: string | null
}

export function isTestTree(value: JsonObject): boolean {
  return Object.hasOwn(value, 'testNodes')
}

export function isSummary(value: JsonObject): boolean {
  return typeof getValue(value, 'totalTestCount') === 'number'
}

export function readTestTree(value: JsonObject, sink: RowSink, limits: ReportLimits, warn: Warn): void {
  if (!Array.isArray(getValue(value, 'testNodes'))) throw new ReportsError('malformed', '"testNodes" is not an array.')
  let count = 0
  const visit = (node: JsonObject, scope: Scope, depth: number) => {
    if (depth > limits.maxDepth)
      throw new ReportsError('too-large', `Its nodes are nested deeper than ${limits.maxDepth}.`)
    const type = getString(node, 'nodeType') ?? ''
    if (type === 'Test Case') {
      for (const row of listRows(node, scope, warn)) {
        sink.add(row)
        count++
      }
      return
    }
    const name = getString(node, 'name')
    const inner = {
      ...scope,
      ...(/test bundle$/i.test(type) ? { bundle: name } : {}),
      ...(type === 'Test Suite' ? { suiteIdentifier: getString(node, 'nodeIdentifier') ?? name } : {}),
    }
    for (const child of getObjects(node, 'children')) visit(child, inner, depth + 1)
  }
  for (const node of getObjects(value, 'testNodes'))
    visit(node, { bundle: null, suiteIdentifier: null, device: null }, 1)
  if (count === 0) warn('noCases', null, 'The report has no test case.')
}

export function readSummary(value: JsonObject, sink: RowSink, warn: Warn): void {
  const total = getNumber(value, 'totalTestCount') ?? 0
  const failures = getObjects(value, 'testFailures')
  const detail = `A summary names failed tests only: ${failures.length} of ${total}. Upload "get test-results tests".`
  warn('summaryOnly', null, detail)
  if (failures.length === 0) warn('noCases', null, 'The summary names no failed test.')
  for (const failure of failures) {
    const identifier = getString(failure, 'testIdentifierString') ?? getString(failure, 'testName') ?? ''
    const names = splitIdentifier(identifier, null, getString(failure, 'testName'))
    const attempt = toAttempt('failed', null, [getString(failure, 'failureText') ?? ''], names.class)
    sink.add(toRow(getString(failure, 'targetName'), names, null, null, null, [attempt]))
  }
}

function listRows(node: JsonObject, scope: Scope, warn: Warn): Row[] {
  const names = splitIdentifier(getString(node, 'nodeIdentifier'), scope.suiteIdentifier, getString(node, 'name'))
  const rows: Row[] = []
  /** A case, or a level between a case and its attempts: a device, a configuration of the plan, arguments. */
  const visit = (part: JsonObject, parameters: string | null, device: string | null, depth: number) => {
    const children = getObjects(part, 'children')
    const parts = children.filter((child) => /^(?:Arguments|Device|Test Plan Configuration)$/.test(typeOf(child)))
    if (parts.length > 0 && depth < 8) {
      for (const child of parts) {
        const name = cleanText(getString(child, 'name') ?? '')
        if (typeOf(child) === 'Arguments') visit(child, name, device, depth + 1)
        else visit(child, parameters, typeOf(child) === 'Device' ? name : device, depth + 1)
      }
      return
    }
    const repetitions = children.filter((child) => typeOf(child) === 'Repetition')
    const attempts = (repetitions.length > 0 ? repetitions : [part]).map((one) => readAttempt(one, names.class, warn))
    const durationMs = readDuration(repetitions.at(-1) ?? part)
    rows.push(toRow(scope.bundle, names, parameters, device, durationMs, attempts))
  }
  visit(node, null, scope.device, 0)
  return rows
}

function readAttempt(node: JsonObject, className: string | null, warn: Warn): RowAttempt {
  const result = getString(node, 'result') ?? ''
  const outcome = toXcodeOutcome(result)
  if (!outcome) warn('unknownStatus', null, `A result is ${JSON.stringify(result.slice(0, 100))}.`)
  const messages = getObjects(node, 'children').filter((child) => typeOf(child) === 'Failure Message')
  const texts = messages.map((message) => getString(message, 'name') ?? '')
  return toAttempt(outcome ?? 'skipped', readDuration(node), texts, className)
}

function toAttempt(
  outcome: Outcome,
  durationMs: number | null,
  messages: string[],
  className: string | null,
): RowAttempt {
  const texts = messages.map((message) => cleanText(message))
  const failures = texts.map((message) => {
    return { kind: 'Failure Message', type: null, message, text: '', place: findPlace(message, className) }
  })
  return {
    outcome,
    durationMs,
    failures: outcome === 'failed' ? failures : [],
    skipReason: outcome === 'skipped' ? (texts[0] ?? null) : null,
  }
}

function toRow(
  suite: string | null,
  names: { class: string | null; name: string },
  parameters: string | null,
  environment: string | null,
  durationMs: number | null,
  attempts: RowAttempt[],
): Row {
  return {
    suite: suite === null ? null : cleanText(suite),
    class: names.class === null ? null : cleanText(names.class),
    name: cleanText(names.name),
    parameters,
    file: null,
    environment,
    testId: null,
    durationMs,
    attempts,
    repetition: null,
    outputs: [],
    attachments: [],
  }
}

function typeOf(node: JsonObject): string {
  return isObject(node) ? (getString(node, 'nodeType') ?? '') : ''
}

/** Reads `durationInSeconds`, or else words such as `1m 5s` or `0,011s`. */
function readDuration(node: JsonObject): number | null {
  const seconds = secondsToMs(getValue(node, 'durationInSeconds'))
  if (seconds !== null) return seconds
  const words = (getString(node, 'duration') ?? '').split(/\s+/).filter((word) => word !== '')
  if (words.length === 0 || words.length > 4) return null
  const parts = words.map((word) => parseDuration(word))
  return parts.reduce<number | null>((sum, part) => (sum === null || part === null ? null : sum + part), 0)
}
