/**
 * Reads a folder of Allure results: one JSON file for each attempt. Results with the same `fullName` and equal
 * parameters (except those marked as excluded) are the attempts of one case, ordered by `start`.
 */
import type { Row, RowAttachment, RowAttempt, RowSink } from '../cases/row.ts'
import { getNumber, getObject, getObjects, getString, getValue, type JsonObject } from '../json/json-value.ts'
import type { ReportLimits } from '../limits.ts'
import type { Outcome } from '../report.ts'
import { cleanText } from '../text/clean-text.ts'
import { toMilliseconds } from '../text/duration.ts'
import { findPlace } from '../text/find-place.ts'
import type { Warn } from '../warnings.ts'

const outcomes: Record<string, Outcome | undefined> = Object.assign(Object.create(null), {
  passed: 'passed',
  failed: 'failed',
  broken: 'failed',
  skipped: 'skipped',
})

interface AllureAttempt {
  start: number
  source: string
  row: Row
}

/** Whether the JSON is a result. A container has children and no status. */
export function isAllureResult(value: JsonObject): boolean {
  if (getString(value, 'uuid') === null || Array.isArray(getValue(value, 'children'))) return false
  return ['status', 'fullName', 'historyId', 'testCaseId'].some((key) => Object.hasOwn(value, key))
}

export class AllureResults {
  readonly #groups = new Map<string, AllureAttempt[]>()
  readonly #limits: ReportLimits

  constructor(limits: ReportLimits) {
    this.#limits = limits
  }

  add(value: JsonObject, source: string, warn: Warn): void {
    const row = toRow(value, this.#limits, warn)
    const parameters = listParameters(value)
    const key = JSON.stringify([getString(value, 'fullName') ?? [row.suite, row.class, row.name], parameters])
    const group = this.#groups.get(key)
    const attempt = { start: getNumber(value, 'start') ?? 0, source, row }
    if (group) group.push(attempt)
    else this.#groups.set(key, [attempt])
  }

  /** Passes the cases on. `beginFile` is called with the file of the last attempt of each case. */
  release(sink: RowSink, beginFile: (source: string) => void): void {
    for (const group of this.#groups.values()) {
      const ordered = group.toSorted((a, b) => a.start - b.start)
      const last = ordered.at(-1)
      if (!last) continue
      beginFile(last.source)
      sink.add({
        ...last.row,
        attempts: ordered.flatMap(({ row }) => row.attempts),
        attachments: ordered.flatMap(({ row }, attempt) => row.attachments.map((one) => ({ ...one, attempt }))),
      })
    }
  }
}

function toRow(value: JsonObject, limits: ReportLimits, warn: Warn): Row {
  const labels = getObjects(value, 'labels')
  const label = (name: string) =>
    labels.map((one) => (one['name'] === name ? getString(one, 'value') : null)).find(Boolean)
  const project = label('framework') === 'playwright' ? findProject(value) : null
  const suites = ['parentSuite', 'suite', 'subSuite']
    .map(label)
    .filter((suite, index) => suite !== null && suite !== undefined && (index > 0 || suite !== project))
  const parameters = listParameters(value, project)
  return {
    suite: suites.length === 0 ? null : cleanText(suites.join(' > ')),
    class: cleanText(label('testClass') ?? '') || null,
    name: cleanText(getString(value, 'name') ?? getString(value, 'fullName') ?? ''),
    parameters: parameters.length === 0 ? null : cleanText(parameters.join(', ')),
    file: null,
    environment: project === null ? null : cleanText(project),
    testId: null,
    durationMs: null,
    attempts: [toAttempt(value, cleanText(label('testClass') ?? '') || null, warn)],
    repetition: null,
    outputs: [],
    attachments: listAttachments(value, limits.maxDepth),
  }
}

function toAttempt(value: JsonObject, className: string | null, warn: Warn): RowAttempt {
  const status = getString(value, 'status') ?? 'unknown'
  const outcome = outcomes[status] ?? 'skipped'
  if (!outcomes[status]) warn('unknownStatus', null, `The status is ${JSON.stringify(status.slice(0, 100))}.`)
  const [start, stop] = [getNumber(value, 'start'), getNumber(value, 'stop')]
  const details = getObject(value, 'statusDetails')
  const message = getString(details, 'message')
  const text = cleanText(getString(details, 'trace') ?? '')
  const place = findPlace(text, className) ?? findPlace(message ?? '', className)
  const failure = { kind: status, type: null, message: message === null ? null : cleanText(message), text, place }
  return {
    outcome,
    durationMs: start === null || stop === null ? null : toMilliseconds(stop - start),
    failures: outcome === 'failed' ? [failure] : [],
    skipReason: outcome === 'skipped' ? failure.message : null,
  }
}

/** The project of Playwright, which is a parameter and the outermost suite. */
function findProject(value: JsonObject): string | null {
  const parameter = getObjects(value, 'parameters').find((one) => getString(one, 'name') === 'Project')
  return parameter === undefined ? null : getString(parameter, 'value')
}

function listParameters(value: JsonObject, project: string | null = null): string[] {
  return getObjects(value, 'parameters')
    .filter((parameter) => getValue(parameter, 'excluded') !== true)
    .filter((parameter) => project === null || getString(parameter, 'name') !== 'Project')
    .map((parameter) => `${getString(parameter, 'name') ?? ''}: ${getString(parameter, 'value') ?? ''}`)
}

/** Collects the attachments of a result and of its steps, which may be nested. */
function listAttachments(value: JsonObject, maxDepth: number): RowAttachment[] {
  const found: RowAttachment[] = []
  let level = [value]
  for (let depth = 0; depth < maxDepth && level.length > 0; depth++) {
    for (const attachment of level.flatMap((part) => getObjects(part, 'attachments'))) {
      const path = getString(attachment, 'source')
      if (path === null || path === '') continue
      found.push({
        name: getString(attachment, 'name'),
        path: cleanText(path),
        contentType: getString(attachment, 'type'),
      })
    }
    level = level.flatMap((part) => getObjects(part, 'steps'))
  }
  return found
}
