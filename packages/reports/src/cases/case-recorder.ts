import { hash } from 'node:crypto'
import type { BlockWriter } from '../details/block-writer.ts'
import { maxMessageBytes, type ReportLimits } from '../limits.ts'
import type {
  AttachmentReference,
  Attempt,
  Counts,
  Failure,
  ReadFile,
  ReportCase,
  ReportFormat,
  SuiteOutput,
} from '../report.ts'
import { ReportsError } from '../reports-error.ts'
import { copyText, cutToBytes, toLine } from '../text/clean-text.ts'
import type { Warnings } from '../warnings.ts'
import { CaseFormatter } from './case-line.ts'
import { CaseNumbers } from './case-numbers.ts'
import { addToCounts, emptyCounts, judgeAttempts } from './counts.ts'
import { createIdentifier, identityDigits } from './identity.ts'
import type { AttachmentResolver, FoundAttachment, Row, RowAttempt, RowFailure, RowSink } from './row.ts'

export interface RecordedFile {
  source: string
  format: ReportFormat
  /** The suite that replaces those that the report names. */
  suite: string | null
  environment: string | null
  /**
   * If several files are attempts of one report: the path without the mark of the attempt, and the number of the
   * attempt.
   */
  run: { group: string; attempt: number } | null
}

interface RecorderParts {
  cases: BlockWriter
  details: BlockWriter
  attachments: AttachmentResolver
  warnings: Warnings
  limits: ReportLimits
  scope: string
}

type CutField = 'suite' | 'class' | 'parameters' | 'file' | 'environment'

const maxSuiteOutputs = 10_000

/**
 * Turns rows into cases: computes identity and number, joins the attempts of several rows, counts, and writes each case
 * when it is complete.
 */
export class CaseRecorder implements RowSink {
  readonly counts: Counts = emptyCounts()
  readonly files: ReadFile[] = []
  readonly suiteOutputs: SuiteOutput[] = []
  unlisted = 0
  readonly #parts: RecorderParts
  readonly #formatter = new CaseFormatter()
  readonly #numbers = new CaseNumbers()
  readonly #identify: ReturnType<typeof createIdentifier>
  /** Cases that may get further rows, in the order of their first row. */
  readonly #open = new Map<string, ReportCase>()
  /** How often a row with a mark occurred, by identity, file or attempt, and mark. */
  readonly #occurrences = new Map<string, number>()
  #file: RecordedFile = { source: '', format: 'junit', suite: null, environment: null, run: null }
  #fileCounts = emptyCounts()
  /** The last name of each field with its cut form, because many consecutive cases have the same suite and class. */
  readonly #last: Record<CutField, { text: string; cut: string | null } | null> = {
    suite: null,
    class: null,
    parameters: null,
    file: null,
    environment: null,
  }

  constructor(parts: RecorderParts) {
    this.#parts = parts
    this.#identify = createIdentifier(parts.scope)
  }

  beginFile(file: RecordedFile): void {
    if (file.run === null || file.run.group !== this.#file.run?.group) this.release()
    this.#file = file
    this.#fileCounts = emptyCounts()
    this.files.push({ source: file.source, format: file.format, counts: this.#fileCounts })
  }

  add(row: Row): void {
    const file = this.#file
    const suite = file.suite ?? row.suite
    const environment = row.environment ?? file.environment
    const { class: className, name, parameters, file: path, testId } = row
    const digest = this.#identify({ suite, class: className, name, parameters, file: path, testId })
    const identity = digest.slice(0, identityDigits)
    const key = environment === null ? digest : hash('sha256', `${identity}\0${environment}`, 'hex')
    const mark = this.#findMark(row)
    const openKey = mark === null ? null : this.#openKey(key, row)
    const open = openKey === null ? undefined : this.#open.get(openKey)
    if (mark !== null) this.#countOccurrence(key, row)
    const attempts = row.attempts.map((attempt) => this.#toAttempt(attempt))
    const outputs = row.outputs.map(({ stream, text }) => ({ stream, details: this.#parts.details.write(text) }))
    const references = this.#parts.attachments.resolve(row, file.source)
    if (open) {
      open.attachments.push(...placeAttachments(references, row, open.attempts.length))
      open.attempts.push(...attempts)
      open.outputs.push(...outputs)
      open.durationMs = row.durationMs ?? attempts.at(-1)?.durationMs ?? null
      this.#checkParts(open.attempts.length)
      return
    }
    this.#checkParts(attempts.length)
    const { outcome, isFlaky } = judgeAttempts(attempts)
    const one: ReportCase = {
      identity,
      suite: this.#cut('suite', suite),
      class: this.#cut('class', row.class),
      name: this.#cutName(row.name) ?? '',
      parameters: this.#cut('parameters', row.parameters),
      file: this.#cut('file', row.file),
      environment: this.#cut('environment', environment),
      case: this.#numbers.next(key),
      outcome,
      isFlaky,
      durationMs: row.durationMs ?? attempts.at(-1)?.durationMs ?? null,
      attempts,
      retryMark: mark ?? (attempts.length > 1 ? 'elements' : null),
      outputs,
      attachments: placeAttachments(references, row, 0),
      source: file.source,
    }
    if (this.counts.cases + this.#open.size >= this.#parts.limits.maxCases) {
      throw new ReportsError('too-large', `The upload has more than ${this.#parts.limits.maxCases} cases.`)
    }
    if (mark === null && this.#open.size === 0) this.#write(one)
    else this.#open.set(openKey ?? `#${this.#open.size}`, one)
  }

  addSuiteOutput(suite: string | null, stream: 'out' | 'err', text: string): void {
    if (this.suiteOutputs.length >= maxSuiteOutputs) return
    const details = this.#parts.details.write(text)
    const name = this.#cut('suite', this.#file.suite ?? suite)
    this.suiteOutputs.push({ suite: name && copyText(name), stream, details, source: this.#file.source })
  }

  addUnlisted(count: number): void {
    this.unlisted += count
  }

  /** Writes the cases that were kept for further attempts. */
  release(): void {
    for (const one of this.#open.values()) {
      const { outcome, isFlaky } = judgeAttempts(one.attempts)
      this.#write({ ...one, outcome, isFlaky })
    }
    this.#open.clear()
    this.#occurrences.clear()
  }

  #findMark(row: Row): 'repetition' | 'path' | null {
    if (row.repetition !== null) return 'repetition'
    return this.#file.run === null ? null : 'path'
  }

  #occurrenceKey(key: string, row: Row): string {
    const { source, run } = this.#file
    return `${key}\0${run === null ? source : run.attempt}\0${row.repetition ?? ''}`
  }

  /** The n-th row of an identity with the same mark belongs to the n-th case of that identity in the file. */
  #openKey(key: string, row: Row): string {
    const { source, run } = this.#file
    const nth = this.#occurrences.get(this.#occurrenceKey(key, row)) ?? 0
    return `${key}\0${run?.group ?? source}\0${nth}`
  }

  #countOccurrence(key: string, row: Row): void {
    const occurrence = this.#occurrenceKey(key, row)
    this.#occurrences.set(occurrence, (this.#occurrences.get(occurrence) ?? 0) + 1)
  }

  #toAttempt({ outcome, durationMs, failures, skipReason }: RowAttempt): Attempt {
    if (failures.length === 0 && skipReason === null) return { outcome, durationMs, failures: [] }
    const reason =
      skipReason === null ? [] : [{ kind: 'skipped', type: null, message: skipReason, text: '', place: null }]
    return { outcome, durationMs, failures: [...failures, ...reason].map((failure) => this.#toFailure(failure)) }
  }

  #toFailure({ kind, type, message, text, place }: RowFailure): Failure {
    const { details, limits } = this.#parts
    const whole = message === null || message.trim() === '' ? text.trim() : message
    const cut = cutToBytes(whole, maxMessageBytes)
    const rest = text.trim() === '' ? whole : text
    return {
      kind,
      type: type === null ? null : type.slice(0, limits.maxNameCharacters),
      message: cut === '' ? null : cut,
      place,
      details: rest.trim() === cut.trim() ? null : details.write(rest.slice(0, limits.maxFailureCharacters + 100)),
    }
  }

  #cut(field: CutField, text: string | null): string | null {
    if (text === null) return null
    const last = this.#last[field]
    if (last !== null && last.text === text) return last.cut
    const cut = this.#cutName(text)
    this.#last[field] = { text, cut }
    return cut
  }

  #cutName(text: string): string | null {
    const { limits, warnings } = this.#parts
    const line = toLine(text)
    if (line === null || line.length <= limits.maxNameCharacters) return line
    const detail = `A name has more than ${limits.maxNameCharacters} characters.`
    warnings.add('nameCut', this.#file.source, null, detail)
    return line.slice(0, limits.maxNameCharacters).replace(/[\ud800-\udbff]$/, '')
  }

  #checkParts(count: number): void {
    const { maxPartsPerCase } = this.#parts.limits
    if (count > maxPartsPerCase)
      throw new ReportsError('too-large', `A case has more than ${maxPartsPerCase} attempts.`)
  }

  #write(one: ReportCase): void {
    addToCounts(this.counts, one)
    addToCounts(this.#fileCounts, one)
    this.#parts.cases.write(this.#formatter.format(one))
  }
}

/** Numbers the attempts that the attachments of a row belong to; `before` attempts of the case precede the row. */
function placeAttachments(found: FoundAttachment[], row: Row, before: number): AttachmentReference[] {
  if (found.length === 0) return []
  return found.map((attachment, index) => {
    const attempt = row.attachments[index]?.attempt ?? (row.attempts.length === 1 ? 0 : null)
    return { ...attachment, attempt: attempt === null ? null : before + attempt + 1 }
  })
}
