import { type AllureResults, isAllureResult } from './allure/read-allure.ts'
import type { Upload } from './archive/upload.ts'
import type { CaseRecorder } from './cases/case-recorder.ts'
import type { RowSink } from './cases/row.ts'
import { isCtrf, readCtrf } from './ctrf/read-ctrf.ts'
import { findUnsupportedJson, toUnsupportedError, type Unsupported } from './detect/unsupported.ts'
import { readInstrumentation } from './instrumentation/read-instrumentation.ts'
import { isObject, type JsonObject } from './json/json-value.ts'
import { readJson } from './json/read-json.ts'
import { hasDeviceProperty, readJunit } from './junit/read-junit.ts'
import type { ReportLimits } from './limits.ts'
import type { PlannedFile } from './plan-files.ts'
import type { ReadReportsOptions } from './read-options.ts'
import type { ReportFormat } from './report.ts'
import { ReportsError } from './reports-error.ts'
import type { Warn, Warnings } from './warnings.ts'
import { readXcresult } from './xcode/read-xcresult.ts'
import { isSummary, isTestTree, readSummary, readTestTree } from './xcode/read-xcresulttool.ts'

interface ReaderParts {
  upload: Upload
  folder: string
  limits: ReportLimits
  recorder: CaseRecorder
  allure: AllureResults
  warnings: Warnings
  options: ReadReportsOptions
}

/** The largest JSON file without the keys of a report near its start that is parsed to find out what it is. */
const maxSpeculativeBytes = 16 * 1024 * 1024
/** The largest report that is read twice, to find a device that is named after the cases. */
const maxSearchedBytes = 32 * 1024 * 1024
const noDatabase =
  'It is an Xcode result bundle without database.sqlite3. On a Mac, run "xcrun xcresulttool get test-results summary ' +
  '--path <bundle>.xcresult" once, which writes it, and upload again.'

/** Reads the files of an upload one after the other, each by its format. */
export class FileReader {
  readonly #parts: ReaderParts
  #unsupported: { what: Unsupported; source: string } | null = null
  readonly #summaries: { value: JsonObject; file: PlannedFile }[] = []
  #hasTestTree = false
  #hasAllure = false

  constructor(parts: ReaderParts) {
    this.#parts = parts
  }

  async read(file: PlannedFile): Promise<void> {
    const { upload, recorder } = this.#parts
    const isAlone = !upload.isArchive
    if (file.kind === 'junit' || (file.kind === 'xml' && isAlone)) await this.#readJunit(file)
    else if (file.kind === 'json') await this.#readJson(file)
    else if (file.kind === 'xcresult') await this.#readBundle(file)
    else if (file.kind === 'unsupported') this.#noteUnsupported(file, file)
    else if (file.kind === 'conflict') refuseConflict()
    else if (file.kind === 'instrumentation') {
      if (!isAlone && (recorder.files.length > 0 || this.#hasAllure)) return
      const warn = this.#begin(file, 'instrumentation')
      await readInstrumentation(this.#stream(file), recorder, this.#parts.limits, warn)
    }
  }

  /** Reads the files that depend on all other files. */
  finish(): void {
    const { recorder, upload, allure } = this.#parts
    for (const { value, file } of this.#hasTestTree ? [] : this.#summaries) {
      readSummary(value, recorder, this.#begin(file, 'xcresulttool'))
    }
    const path = { suite: null, environment: null, run: null }
    allure.release(recorder, (source) => {
      recorder.beginFile({ source, format: 'allure', ...path, suite: this.#parts.options.suite ?? null })
    })
    if (!this.#unsupported) return
    const { what, source } = this.#unsupported
    if (!upload.isArchive || recorder.files.length === 0) throw toUnsupportedError(what, source)
  }

  /** Reads a file without recording anything. Throws if it cannot be read completely. */
  async check(file: PlannedFile): Promise<void> {
    const nothing: RowSink = { add: () => {}, addSuiteOutput: () => {}, addUnlisted: () => {} }
    const { limits } = this.#parts
    if (file.kind === 'junit') {
      await readJunit(this.#stream(file), nothing, { limits, warn: () => {}, deviceComesLate: false })
    } else if (file.kind === 'json') {
      const value = await this.#parse(file)
      if (value && isCtrf(value)) readCtrf(value, nothing, limits, () => {})
      else if (value && isTestTree(value)) readTestTree(value, nothing, limits, () => {})
    } else if (file.kind === 'xcresult') {
      await this.#readDatabase(file, nothing, () => {})
    } else if (file.kind === 'conflict') refuseConflict()
  }

  async #readJunit(file: PlannedFile): Promise<void> {
    const deviceComesLate = file.entry.size <= maxSearchedBytes && (await hasDeviceProperty(this.#stream(file)))
    const warn = this.#begin(file, 'junit')
    const { limits, recorder } = this.#parts
    await readJunit(this.#stream(file), recorder, { limits, warn, deviceComesLate })
  }

  async #readJson(file: Extract<PlannedFile, { kind: 'json' }>): Promise<void> {
    const { recorder, limits, upload } = this.#parts
    const value = await this.#parse(file)
    if (value === null) return
    const unsupported = findUnsupportedJson(value)
    if (isCtrf(value)) readCtrf(value, recorder, limits, this.#begin(file, 'ctrf'))
    else if (isTestTree(value)) {
      this.#hasTestTree = true
      readTestTree(value, recorder, limits, this.#begin(file, 'xcresulttool'))
    } else if (isSummary(value)) this.#summaries.push({ value, file })
    else if (isAllureResult(value)) {
      this.#hasAllure = true
      this.#parts.allure.add(value, file.entry.path, this.#warner(file))
    } else if (unsupported) this.#noteUnsupported(file, unsupported)
    else if (!upload.isArchive) throw new ReportsError('not-a-report')
  }

  /** Parses a JSON file as an object; null if it is not an object, or if it is broken but need not be a report. */
  async #parse(file: Extract<PlannedFile, { kind: 'json' }>): Promise<JsonObject | null> {
    const { upload, limits } = this.#parts
    const isExpected = file.looksLikeReport || !upload.isArchive
    if (!isExpected && file.entry.size > maxSpeculativeBytes) return null
    try {
      const { value, isBroken } = await readJson(this.#stream(file), limits.maxJsonBytes)
      if (isBroken && isExpected) this.#warner(file)('badEncoding', null, 'Some bytes are wrong in the encoding.')
      return isObject(value) ? value : null
    } catch (error) {
      if (isExpected || !(error instanceof ReportsError) || error.code === 'malformed-archive') throw error
      return null
    }
  }

  async #readBundle(file: Extract<PlannedFile, { kind: 'xcresult' }>): Promise<void> {
    if (file.bundle.database === null) throw new ReportsError('no-database', noDatabase)
    const warn = this.#begin(file, 'xcresult')
    await this.#readDatabase(file, this.#parts.recorder, warn)
  }

  async #readDatabase(file: Extract<PlannedFile, { kind: 'xcresult' }>, sink: RowSink, warn: Warn): Promise<void> {
    const { upload, folder, limits } = this.#parts
    const { folder: bundle, database } = file.bundle
    if (database === null) throw new ReportsError('no-database', noDatabase)
    await readXcresult(sink, { upload, bundle, database, folder, limits, warn })
  }

  #noteUnsupported(file: PlannedFile, what: Unsupported): void {
    this.#unsupported ??= { what, source: file.entry.path }
    this.#warner(file)('unsupportedReport', null, `It is ${what.name}. ${what.advice}`)
  }

  #begin(file: PlannedFile, format: ReportFormat): Warn {
    const { recorder, options } = this.#parts
    const { suite, environment, run } = file.path
    const source = file.entry.path
    recorder.beginFile({ source, format, suite: options.suite ?? suite, environment, run })
    return this.#warner(file)
  }

  #warner(file: PlannedFile): Warn {
    return (code, line, detail) => this.#parts.warnings.add(code, file.entry.path, line, detail)
  }

  #stream(file: PlannedFile): AsyncIterable<Buffer> {
    return this.#parts.upload.stream(file.entry, this.#parts.limits.maxReportBytes)
  }
}

function refuseConflict(): never {
  throw new ReportsError('malformed', 'It begins with the markers of a merge conflict ("<<<<<<<").', { line: 1 })
}
