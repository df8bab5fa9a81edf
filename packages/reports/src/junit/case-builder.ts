import { normalizeName } from '../cases/identity.ts'
import type { Row, RowAttempt, RowFailure } from '../cases/row.ts'
import { parseDuration } from '../text/duration.ts'
import { findPlace } from '../text/find-place.ts'
import type { KeptText } from '../text/kept-text.ts'
import type { OutputText } from './output-text.ts'
import type { Suite } from './suite.ts'

/** An element such as `failure` that is being read. */
export interface FailureElement {
  kind: string
  type: string | null
  message: string | null
  durationMs: number | null
  text: KeptText
}

type Clean = (text: string) => string

const noParts: CaseParts = { failures: [], flaky: [], reruns: [], outputs: [], properties: [], skipped: null }
const failedWords = new Set(['failed', 'fail', 'failure', 'error', 'errored'])
const skippedWords = new Set(['notrun', 'skipped', 'ignored'])

/** The parts that were read of a `testcase` element. */
export interface CaseParts {
  failures: FailureElement[]
  flaky: FailureElement[]
  reruns: FailureElement[]
  outputs: OutputText[]
  properties: [name: string, value: string][]
  skipped: { type: string | null; message: string | null; text: KeptText } | null
}

/** A `testcase` element that is being read. */
export class CaseBuilder {
  readonly suite: Suite | null
  readonly attributes: Record<string, string>
  /** Null for an empty element, because most cases are empty. */
  parts: CaseParts | null = null

  constructor(suite: Suite | null, attributes: Record<string, string>) {
    this.suite = suite
    this.attributes = attributes
  }

  get partCount(): number {
    if (this.parts === null) return 0
    const { failures, flaky, reruns, outputs, properties } = this.parts
    return failures.length + flaky.length + reruns.length + outputs.length + properties.length
  }

  openParts(): CaseParts {
    this.parts ??= { failures: [], flaky: [], reruns: [], outputs: [], properties: [], skipped: null }
    return this.parts
  }

  /** Returns the row of this case. `clean` removes what cannot be stored from the texts of the report. */
  toRow(clean: Clean): Row {
    const { attributes, parts, suite } = this
    const durationMs = parseDuration(attributes['time'])
    const className = cleanAttribute(attributes['classname'], clean)
    const name = cleanAttribute(attributes['name'], clean) ?? ''
    const row: Row = {
      suite: suite === null ? null : suite.path,
      class: className,
      name,
      parameters: null,
      file: cleanAttribute(attributes['file'], clean) ?? findFileOfSuite(suite, className, name),
      environment: null,
      testId: null,
      durationMs,
      attempts: listAttempts(parts ?? noParts, attributes, durationMs, clean),
      repetition: null,
      outputs: [],
      attachments: [],
    }
    if (parts === null) return row
    const property = (name: string) => parts.properties.find(([key]) => key === name)?.[1] ?? null
    const repetition = property('repetition')
    row.testId = property('testId')
    row.repetition = repetition === null ? null : clean(repetition)
    const written = parts.outputs.filter((output) => !output.isEmpty)
    row.outputs = written.map((output) => ({ stream: output.stream, text: clean(output.toString()) }))
    row.attachments = listAttachments(parts).map((path) => ({ name: null, path: clean(path), contentType: null }))
    return row
  }
}

/**
 * The file of the suite says who owns the case. A case without a class is known by its own file, and would be another
 * test than before if it got that of its suite.
 */
function findFileOfSuite(suite: Suite | null, className: string | null, name: string): string | null {
  if (suite === null || suite.file === null || className === null) return null
  const normalClass = normalizeName(className)
  return normalClass === '' || normalClass === normalizeName(name) ? null : suite.file
}

function cleanAttribute(value: string | undefined, clean: Clean): string | null {
  return value === undefined ? null : clean(value)
}

function listAttachments({ properties, outputs }: CaseParts): string[] {
  if (properties.length === 0 && outputs.every(({ attachments }) => attachments.length === 0)) return []
  const named = properties.filter(([name]) => /^attachment/i.test(name)).map(([, value]) => value)
  return [...new Set([...named, ...outputs.flatMap((output) => output.attachments)])]
}

/** Returns the attempts in chronological order: earlier failures, the case itself, failed reruns. */
function listAttempts(
  parts: CaseParts,
  attributes: Record<string, string>,
  durationMs: number | null,
  clean: Clean,
): RowAttempt[] {
  const { failures, flaky, reruns, skipped } = parts
  const className = attributes['classname'] ?? null
  const toFailure = (element: FailureElement) => finishFailure(element, className, clean)
  const toAttempt = (element: FailureElement): RowAttempt => ({
    outcome: 'failed',
    durationMs: element.durationMs,
    failures: [toFailure(element)],
    skipReason: null,
  })
  const outcome = judge(parts, attributes)
  if (attributes['flaky'] === 'true' && outcome !== 'skipped') {
    const failed: RowAttempt = { outcome: 'failed', durationMs: null, failures: [], skipReason: null }
    const before = [...flaky, ...failures, ...reruns].map(toAttempt)
    const passed: RowAttempt = { outcome: 'passed', durationMs, failures: [], skipReason: null }
    return [...(before.length > 0 ? before : [failed]), passed]
  }
  const skipText = skipped?.message || skipped?.text.toString().trim() || null
  const itself: RowAttempt = {
    outcome,
    durationMs,
    failures: failures.length === 0 ? [] : failures.map(toFailure),
    skipReason: outcome === 'skipped' && skipText !== null ? clean(skipText) : null,
  }
  if (flaky.length + reruns.length === 0) return [itself]
  return [...flaky.map(toAttempt), itself, ...reruns.map(toAttempt)]
}

function judge({ failures, reruns, skipped }: CaseParts, attributes: Record<string, string>): RowAttempt['outcome'] {
  const { status, result } = attributes
  const word = status === undefined ? '' : status.toLowerCase()
  const isExcused = word === 'disabled' || (skipped !== null && /^(?:todo|skipped)$/.test(skipped.type ?? ''))
  if (isExcused) return 'skipped'
  if (failures.length > 0) return 'failed'
  if (skipped) return 'skipped'
  if (failedWords.has(word) || reruns.length > 0) return 'failed'
  if (skippedWords.has(word) || result?.toLowerCase() === 'suppressed') return 'skipped'
  return 'passed'
}

function finishFailure(element: FailureElement, className: string | null, clean: Clean): RowFailure {
  const text = clean(element.text.toString())
  const message = element.message === null ? null : clean(element.message)
  return {
    kind: element.kind,
    type: element.type === null ? null : clean(element.type),
    message,
    text,
    place: findPlace(text, className) ?? (message === null ? null : findPlace(message, className)),
  }
}
