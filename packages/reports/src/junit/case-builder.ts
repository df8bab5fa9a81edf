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

const failedWords = new Set(['failed', 'fail', 'failure', 'error', 'errored'])
const skippedWords = new Set(['notrun', 'skipped', 'ignored'])

/** A `testcase` element that is being read. */
export class CaseBuilder {
  readonly suite: Suite | null
  readonly attributes: Record<string, string>
  readonly failures: FailureElement[] = []
  readonly flaky: FailureElement[] = []
  readonly reruns: FailureElement[] = []
  readonly outputs: OutputText[] = []
  readonly properties: [name: string, value: string][] = []
  skipped: { type: string | null; message: string | null; text: KeptText } | null = null

  constructor(suite: Suite | null, attributes: Record<string, string>) {
    this.suite = suite
    this.attributes = attributes
  }

  get partCount(): number {
    return this.failures.length + this.flaky.length + this.reruns.length + this.outputs.length + this.properties.length
  }

  /** Returns the row of this case. `clean` removes what cannot be stored from the texts of the report. */
  toRow(clean: (text: string) => string): Row {
    const { attributes } = this
    const durationMs = parseDuration(attributes['time'])
    const attribute = (name: string) => (attributes[name] === undefined ? null : clean(attributes[name]))
    const property = (name: string) => this.properties.find(([key]) => key === name)?.[1] ?? null
    const repetition = property('repetition')
    const attachments = this.#listAttachments()
    return {
      suite: this.suite?.path ?? null,
      class: attribute('classname'),
      name: attribute('name') ?? '',
      parameters: null,
      file: attribute('file'),
      environment: null,
      testId: property('testId'),
      durationMs,
      attempts: this.#listAttempts(durationMs, clean),
      repetition: repetition === null ? null : clean(repetition),
      outputs: this.#listOutputs(clean),
      attachments: attachments.map((path) => ({ name: null, path: clean(path), contentType: null })),
    }
  }

  #listOutputs(clean: (text: string) => string): Row['outputs'] {
    const written = this.outputs.filter((output) => !output.isEmpty)
    return written.map((output) => ({ stream: output.stream, text: clean(output.toString()) }))
  }

  #listAttachments(): string[] {
    if (this.properties.length === 0 && this.outputs.length === 0) return []
    const named = this.properties.filter(([name]) => /^attachment/i.test(name)).map(([, value]) => value)
    return [...new Set([...named, ...this.outputs.flatMap((output) => output.attachments)])]
  }

  /** Returns the attempts in chronological order: earlier failures, the case itself, failed reruns. */
  #listAttempts(durationMs: number | null, clean: (text: string) => string): RowAttempt[] {
    const className = this.attributes['classname'] ?? null
    const toFailure = (element: FailureElement) => finishFailure(element, className, clean)
    const toAttempt = (element: FailureElement): RowAttempt => ({
      outcome: 'failed',
      durationMs: element.durationMs,
      failures: [toFailure(element)],
      skipReason: null,
    })
    const outcome = this.#judge()
    if (this.attributes['flaky'] === 'true' && outcome !== 'skipped') {
      const failed: RowAttempt = { outcome: 'failed', durationMs: null, failures: [], skipReason: null }
      const before = [...this.flaky, ...this.failures, ...this.reruns].map(toAttempt)
      const passed: RowAttempt = { outcome: 'passed', durationMs, failures: [], skipReason: null }
      return [...(before.length > 0 ? before : [failed]), passed]
    }
    const skipText = this.skipped?.message || this.skipped?.text.toString().trim() || null
    const itself: RowAttempt = {
      outcome,
      durationMs,
      failures: this.failures.length === 0 ? [] : this.failures.map(toFailure),
      skipReason: outcome === 'skipped' && skipText !== null ? clean(skipText) : null,
    }
    if (this.flaky.length + this.reruns.length === 0) return [itself]
    return [...this.flaky.map(toAttempt), itself, ...this.reruns.map(toAttempt)]
  }

  #judge(): RowAttempt['outcome'] {
    const { status, result } = this.attributes
    const word = status?.toLowerCase() ?? ''
    const isExcused = word === 'disabled' || /^(?:todo|skipped)$/.test(this.skipped?.type ?? '')
    if (isExcused) return 'skipped'
    if (this.failures.length > 0) return 'failed'
    if (this.skipped) return 'skipped'
    if (failedWords.has(word) || this.reruns.length > 0) return 'failed'
    if (skippedWords.has(word) || result?.toLowerCase() === 'suppressed') return 'skipped'
    return 'passed'
  }
}

function finishFailure(element: FailureElement, className: string | null, clean: (text: string) => string): RowFailure {
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
