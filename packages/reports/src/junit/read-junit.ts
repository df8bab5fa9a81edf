import { XmlError } from '@fairlead/binary/xml-error'
import { XmlReader } from '@fairlead/binary/xml-reader'
import type { RowSink } from '../cases/row.ts'
import type { ReportLimits } from '../limits.ts'
import { ReportsError } from '../reports-error.ts'
import { cleanXmlText, hasForbidden, toLine } from '../text/clean-text.ts'
import { parseDuration } from '../text/duration.ts'
import { KeptText } from '../text/kept-text.ts'
import { createReportDecoder } from '../text/report-decoder.ts'
import { AnnouncedTotals } from './announced-totals.ts'
import { CaseBuilder } from './case-builder.ts'
import { OutputText } from './output-text.ts'
import { openSuite, playwrightProject, type Suite, suiteDevice, toFileOfTests } from './suite.ts'
import type { Warn } from '../warnings.ts'

export interface ReadJunitOptions {
  limits: ReportLimits
  warn: Warn
  /**
   * Whether a device may be named after the cases of a suite, as trainer does. Rows are then kept until the outermost
   * suite ends.
   */
  deviceComesLate: boolean
}

/** The number of rows that are kept for the device of their suite. Beyond it they are passed on without one. */
const maxWaiting = 100_000
const maxPropertyCharacters = 64 * 1024
/** The largest value of a property, because its attachment may be a `data:` URI. */
const maxValueCharacters = 4 * 1024 * 1024
const deviceProperties = ['name="device"', "name='device'"]
const edgeBytes = 16
const crashed = /process crashed/i

/** Whether a file contains a property named `device`, found by its bytes. */
export async function hasDeviceProperty(chunks: AsyncIterable<Buffer>): Promise<boolean> {
  let carry = ''
  for await (const chunk of chunks) {
    const edge = carry + chunk.toString('latin1', 0, edgeBytes)
    if (deviceProperties.some((text) => chunk.includes(text) || edge.includes(text))) return true
    carry = chunk.toString('latin1', Math.max(0, chunk.length - edgeBytes))
  }
  return false
}

/** Reads JUnit XML of any dialect. Throws ReportsError. */
export async function readJunit(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  sink: RowSink,
  options: ReadJunitOptions,
): Promise<void> {
  const reader = new JunitReader(sink, options)
  try {
    for await (const chunk of chunks) reader.write(chunk)
    reader.end()
  } catch (error) {
    throw error instanceof XmlError ? toReportsError(error) : error
  }
}

function toReportsError(error: XmlError): ReportsError {
  const { code, line, message } = error
  const detail = code === 'malformed' ? `It is not well-formed XML: ${message}` : message
  return new ReportsError(code, detail, { line }, { cause: error })
}

/** Returns a name without its namespace prefix. */
function toLocalName(name: string): string {
  const colon = name.indexOf(':')
  return colon === -1 ? name : name.slice(colon + 1)
}

class JunitReader {
  readonly #sink: RowSink
  readonly #options: ReadJunitOptions
  readonly #xml: XmlReader
  #decoder: ReturnType<typeof createReportDecoder> | null = null
  /** The texts that the content of the elements around each open element goes to. */
  readonly #targets: (KeptText | null)[] = []
  #target: KeptText | null = null
  #suite: Suite | null = null
  readonly #cases: CaseBuilder[] = []
  #property: { name: string; value: KeptText } | null = null
  readonly #suiteOutputs: OutputText[] = []
  #waiting: { row: ReturnType<CaseBuilder['toRow']>; suite: Suite | null }[] = []
  #isDirty = false
  #hasEntity = false
  #caseCount = 0
  readonly #totals = new AnnouncedTotals()
  #hasCrashed = false
  #isPlaywright = false

  constructor(sink: RowSink, options: ReadJunitOptions) {
    this.#sink = sink
    this.#options = options
    const { limits } = options
    this.#xml = new XmlReader(
      {
        open: (name, attributes) => this.#open(toLocalName(name), attributes),
        close: (name) => this.#close(toLocalName(name)),
        isTextWanted: () => this.#target !== null,
        text: (piece) => this.#target?.append(piece),
        entity: (name) => this.#noteEntity(name),
        forbidden: () => this.#markDirty('A reference names a character that XML forbids.'),
      },
      limits.maxDepth,
    )
  }

  write(chunk: Buffer): void {
    this.#decoder ??= createReportDecoder(chunk)
    this.#read(this.#decoder.decode(chunk))
  }

  end(): void {
    if (this.#decoder) {
      this.#read(this.#decoder.end())
      if (this.#decoder.isBroken) {
        this.#options.warn('badEncoding', null, `Some bytes are wrong in ${this.#decoder.encoding}.`)
      }
    }
    this.#xml.end()
    this.#release()
    if (this.#totals.unlisted > 0) this.#sink.addUnlisted(this.#totals.unlisted)
    if (this.#caseCount > 0) return
    this.#options.warn('noCases', null, 'The report has no test case.')
    if (this.#hasCrashed) this.#options.warn('processCrashed', null, 'The process crashed before the first test.')
  }

  #read(text: string): void {
    if (!this.#isDirty && hasForbidden(text)) this.#markDirty('The report holds characters that XML forbids.')
    this.#xml.write(text)
  }

  #noteEntity(name: string): void {
    if (this.#hasEntity) return
    this.#hasEntity = true
    this.#options.warn('entity', this.#xml.line, `The entity &${name.slice(0, 100)}; stays as it is written.`)
  }

  #markDirty(detail: string): void {
    if (this.#isDirty) return
    this.#isDirty = true
    this.#options.warn('forbiddenCharacters', this.#xml.line, detail)
  }

  #clean = (text: string): string => (this.#isDirty ? cleanXmlText(text) : text)

  #open(name: string, attributes: Record<string, string>): void {
    if (this.#targets.length === 0 && name !== 'testsuites' && name !== 'testsuite') {
      throw new ReportsError('not-a-report', `The root element is ${JSON.stringify(name.slice(0, 100))}.`, {
        line: this.#xml.line,
      })
    }
    this.#targets.push(this.#target)
    if (name === 'testsuite' || name === 'testsuites') this.#totals.open(attributes)
    const target = this.#enter(name, attributes)
    if (target !== undefined) this.#target = target
  }

  /** Handles the start of an element. Returns the text that its content goes to; undefined leaves that unchanged. */
  #enter(name: string, attributes: Record<string, string>): KeptText | null | undefined {
    const { limits } = this.#options
    const current = this.#cases.at(-1)
    switch (name) {
      case 'testsuite':
        this.#suite = openSuite(
          {
            name: toLine(this.#clean(attributes['name'] ?? '')),
            device: toLine(this.#clean(attributes['device'] ?? '')),
            file: toLine(this.#clean(attributes['file'] ?? '')),
            hostname: toLine(this.#clean(attributes['hostname'] ?? '')),
          },
          this.#suite,
        )
        return null
      case 'testsuites':
        this.#isPlaywright ||= attributes['id'] !== undefined && attributes['hostname'] === undefined
        return undefined
      case 'testcase':
        this.#cases.push(new CaseBuilder(this.#suite, attributes))
        if (++this.#caseCount > limits.maxCases) {
          throw new ReportsError('too-large', `The report has more than ${limits.maxCases} cases.`)
        }
        return null
      case 'failure':
      case 'error':
        return current && this.#addFailure(current, 'failures', name, attributes)
      case 'flakyFailure':
      case 'flakyError':
        return current && this.#addFailure(current, 'flaky', name, attributes)
      case 'rerunFailure':
      case 'rerunError':
        return current && this.#addFailure(current, 'reruns', name, attributes)
      case 'skipped': {
        if (!current) return null
        const text = new KeptText(maxPropertyCharacters)
        current.openParts().skipped = { type: attributes['type'] ?? null, message: attributes['message'] ?? null, text }
        return text
      }
      case 'system-out':
      case 'system-err': {
        const output = new OutputText(name === 'system-out' ? 'out' : 'err', limits.maxOutputCharacters, 1_000)
        if (current) this.#checkParts(current)
        ;(current?.openParts().outputs ?? this.#suiteOutputs).push(output)
        return output
      }
      case 'property': {
        const value = new KeptText(maxValueCharacters)
        value.append(attributes['value'] ?? '')
        this.#property = { name: attributes['name'] ?? '', value }
        return attributes['value'] === undefined ? value : null
      }
      default:
        return undefined
    }
  }

  #addFailure(
    current: CaseBuilder,
    list: 'failures' | 'flaky' | 'reruns',
    kind: string,
    attributes: Record<string, string>,
  ): KeptText {
    this.#checkParts(current)
    const text = new KeptText(this.#options.limits.maxFailureCharacters)
    const message = attributes['message'] ?? null
    const type = attributes['type'] ?? null
    current.openParts()[list].push({ kind, type, message, durationMs: parseDuration(attributes['time']), text })
    return text
  }

  #checkParts(current: CaseBuilder): void {
    const { maxPartsPerCase } = this.#options.limits
    if (current.partCount < maxPartsPerCase) return
    throw new ReportsError('too-large', `A case has more than ${maxPartsPerCase} failures, outputs or properties.`, {
      line: this.#xml.line,
    })
  }

  #close(name: string): void {
    this.#target = this.#targets.pop() ?? null
    if (name === 'testcase') this.#finishCase()
    else if (name === 'property') this.#finishProperty()
    else if (name === 'testsuite') this.#finishSuite()
    else if (name === 'testsuites') this.#totals.close()
    else if ((name === 'system-out' || name === 'system-err') && this.#cases.length === 0) this.#finishSuiteOutput()
  }

  #finishCase(): void {
    const builder = this.#cases.pop()
    if (!builder) return
    const row = builder.toRow(this.#clean)
    this.#totals.addCase(builder, row.attempts.at(-1)?.outcome === 'failed')
    row.environment =
      suiteDevice(builder.suite) ??
      (this.#isPlaywright ? playwrightProject(builder.suite, builder.attributes['classname']) : null)
    if (!this.#options.deviceComesLate || row.environment !== null) {
      this.#sink.add(row)
      return
    }
    this.#waiting.push({ row, suite: builder.suite })
    if (this.#waiting.length > maxWaiting) this.#release()
  }

  #finishProperty(): void {
    const { name, value } = this.#property ?? { name: '', value: null }
    this.#property = null
    if (value === null) return
    const current = this.#cases.at(-1)
    if (current) {
      this.#checkParts(current)
      current.openParts().properties.push([name, value.toString().trim()])
    } else if (name === 'file' && this.#suite) {
      this.#suite.file ??= toFileOfTests(this.#clean(value.toString().slice(0, 1_000)).trim())
    } else if (name === 'device' && this.#suite) {
      this.#suite.device = toLine(this.#clean(value.toString().slice(0, 1_000))) ?? this.#suite.device
    }
  }

  #finishSuite(): void {
    this.#totals.close()
    this.#suite = this.#suite?.parent ?? null
    if (this.#suite === null) this.#release()
  }

  #finishSuiteOutput(): void {
    const output = this.#suiteOutputs.pop()
    if (!output || output.isEmpty) return
    const text = this.#clean(output.toString())
    if (output.stream === 'err' && crashed.test(text)) this.#hasCrashed = true
    if (text.trim() !== '') this.#sink.addSuiteOutput(this.#suite?.path ?? null, output.stream, text)
  }

  #release(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const { row, suite } of waiting) this.#sink.add({ ...row, environment: suiteDevice(suite) })
  }
}
