/**
 * Reads the output of `am instrument -r`: blocks of `INSTRUMENTATION_STATUS: key=value`, each ended by
 * `INSTRUMENTATION_STATUS_CODE: n`. Lines without a prefix continue the value before them. Code 1 starts a test; 0
 * means passed, -1 and -2 failed, -3 and -4 skipped; other codes are ignored. `INSTRUMENTATION_RESULT` and
 * `INSTRUMENTATION_CODE` end the run.
 */
import type { Row, RowSink } from '../cases/row.ts'
import type { ReportLimits } from '../limits.ts'
import type { Outcome } from '../report.ts'
import { ReportsError } from '../reports-error.ts'
import { cleanText } from '../text/clean-text.ts'
import { findPlace } from '../text/find-place.ts'
import { KeptText } from '../text/kept-text.ts'
import { createReportDecoder } from '../text/report-decoder.ts'
import type { Warn } from '../warnings.ts'

const outcomes: Record<string, Outcome | undefined> = {
  '0': 'passed',
  '-1': 'failed',
  '-2': 'failed',
  '-3': 'skipped',
  '-4': 'skipped',
}
const line = /^INSTRUMENTATION_(STATUS|RESULT|STATUS_CODE|CODE|FAILED|ABORTED): ?(.*)$/s
const maxValues = 200

export async function readInstrumentation(
  chunks: AsyncIterable<Buffer>,
  sink: RowSink,
  limits: ReportLimits,
  warn: Warn,
): Promise<void> {
  const log = new InstrumentationLog(sink, limits, warn)
  let decoder: ReturnType<typeof createReportDecoder> | null = null
  let rest = ''
  const take = (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const one of lines) log.readLine(one)
    if (rest.length <= limits.maxFailureCharacters) return
    // An endless line is split: its start is read as a line, and its rest as further lines of the same value.
    log.readLine(rest)
    rest = ''
  }
  for await (const chunk of chunks) {
    decoder ??= createReportDecoder(chunk)
    take(decoder.decode(chunk))
  }
  if (decoder) take(decoder.end())
  log.readLine(rest)
  if (decoder?.isBroken) warn('badEncoding', null, 'Some bytes are wrong in the encoding.')
  log.end()
}

class InstrumentationLog {
  readonly #sink: RowSink
  readonly #limits: ReportLimits
  readonly #warn: Warn
  #values = new Map<string, KeptText>()
  #last: KeptText | null = null
  #begun: { class: string; test: string } | null = null
  #cases = 0
  #announced = 0
  #crash: string | null = null

  constructor(sink: RowSink, limits: ReportLimits, warn: Warn) {
    this.#sink = sink
    this.#limits = limits
    this.#warn = warn
  }

  readLine(raw: string): void {
    const text = raw.endsWith('\r') ? raw.slice(0, -1) : raw
    const [, kind, rest = ''] = line.exec(text) ?? []
    if (kind === undefined) {
      this.#last?.append(`\n${text}`)
    } else if (kind === 'STATUS' || kind === 'RESULT') {
      this.#readValue(rest)
    } else if (kind === 'STATUS_CODE') {
      this.#endBlock(rest.trim())
    } else {
      this.#noteCrash()
      if (kind !== 'CODE') this.#crash ??= rest.trim()
      this.#reset()
    }
  }

  end(): void {
    this.#noteCrash()
    if (this.#begun) {
      const { class: className, test } = this.#begun
      const message = this.#crash ?? 'The log ends before the test does.'
      this.#add(className, test, 'failed', message, '')
      if (this.#crash === null) this.#warn('unended', null, `${className}#${test} did not end.`)
    }
    if (this.#crash !== null) this.#warn('processCrashed', null, this.#crash)
    if (this.#cases === 0) this.#warn('noCases', null, 'The log has no test.')
    else if (this.#begun === null && this.#cases < this.#announced) {
      this.#warn('fewerThanAnnounced', null, `${this.#cases} of ${this.#announced} tests are in the log.`)
    }
  }

  #readValue(rest: string): void {
    const equals = rest.indexOf('=')
    if (equals === -1 || this.#values.size >= maxValues) return
    const value = new KeptText(this.#limits.maxFailureCharacters)
    value.append(rest.slice(equals + 1))
    this.#values.set(rest.slice(0, Math.min(equals, 200)), value)
    this.#last = value
  }

  #endBlock(code: string): void {
    const value = (name: string) => cleanText(this.#values.get(name)?.toString() ?? '').trim()
    const [className, test] = [value('class'), value('test')]
    const outcome = outcomes[code]
    const numtests = Number(value('numtests'))
    if (Number.isSafeInteger(numtests)) this.#announced = Math.max(this.#announced, numtests)
    if (className !== '' && test !== '' && code === '1') {
      if (this.#begun) {
        this.#add(this.#begun.class, this.#begun.test, 'failed', 'The next test began before this one ended.', '')
        this.#warn('unended', null, `${this.#begun.class}#${this.#begun.test} did not end.`)
      }
      this.#begun = { class: className, test }
    } else if (className !== '' && test !== '' && outcome) {
      const isOther = this.#begun && (this.#begun.class !== className || this.#begun.test !== test)
      if (!isOther) this.#begun = null
      this.#add(className, test, outcome, null, value('stack') || (outcome === 'failed' ? value('stream') : ''))
    }
    this.#reset()
  }

  #noteCrash(): void {
    const message = this.#values.get('shortMsg')?.toString().trim() ?? ''
    if (/crash/i.test(message)) this.#crash = cleanText(message)
  }

  #reset(): void {
    this.#values = new Map()
    this.#last = null
  }

  #add(className: string, test: string, outcome: Outcome, message: string | null, text: string): void {
    if (++this.#cases > this.#limits.maxCases) {
      throw new ReportsError('too-large', `The log has more than ${this.#limits.maxCases} tests.`)
    }
    const place = findPlace(text, className)
    const firstLine = text.split('\n', 1)[0] ?? ''
    const failure = { kind: 'stack', type: null, message: message ?? (firstLine || null), text, place }
    const row: Row = {
      suite: null,
      class: className,
      name: test,
      parameters: null,
      file: null,
      environment: null,
      testId: null,
      durationMs: null,
      attempts: [
        {
          outcome,
          durationMs: null,
          failures: outcome === 'failed' ? [failure] : [],
          skipReason: outcome === 'skipped' ? firstLine || null : null,
        },
      ],
      repetition: null,
      outputs: [],
      attachments: [],
    }
    this.#sink.add(row)
  }
}
