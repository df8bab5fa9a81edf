/** Reads an `.xcresult` bundle: the database that xcresulttool writes beside `Info.plist`. */
import { closeSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { requireAt } from '@fairlead/invariant'
import type { Upload, UploadEntry } from '../archive/upload.ts'
import type { Row, RowAttempt, RowSink } from '../cases/row.ts'
import { writeFully } from '../details/block-writer.ts'
import type { ReportLimits } from '../limits.ts'
import { cleanText } from '../text/clean-text.ts'
import { secondsToMs } from '../text/duration.ts'
import { findPlace } from '../text/find-place.ts'
import type { CaseRun } from './case-run.ts'
import { readDatabase } from './read-database.ts'
import { splitIdentifier, toXcodeOutcome } from './xcode-test.ts'
import type { Warn } from '../warnings.ts'

export interface ReadXcresultOptions {
  upload: Upload
  /** The folder of the bundle inside the archive; `''` is the archive itself. */
  bundle: string
  database: UploadEntry
  folder: string
  limits: ReportLimits
  warn: Warn
}

export async function readXcresult(sink: RowSink, options: ReadXcresultOptions): Promise<void> {
  const { upload, database, folder, limits, bundle, warn } = options
  const copy = join(folder, 'database.sqlite3')
  try {
    await copyEntry(upload, database, copy, limits.maxReportBytes)
    const groups = groupRuns(readDatabase(copy, limits.maxCases))
    for (const group of groups) sink.add(toRow(group, bundle, warn))
    if (groups.length === 0) warn('noCases', null, 'The result bundle has no test case.')
  } finally {
    rmSync(copy, { force: true })
  }
}

async function copyEntry(upload: Upload, entry: UploadEntry, path: string, maxBytes: number): Promise<void> {
  const file = openSync(path, 'wx')
  try {
    for await (const chunk of upload.stream(entry, maxBytes)) writeFully(file, chunk)
  } finally {
    closeSync(file)
  }
}

/**
 * Groups runs into cases: runs of the same test, arguments and plan with rising repetition numbers are one case. A
 * repetition that is not higher starts another case, as for tests that run once per appearance (light, dark).
 */
function groupRuns(runs: CaseRun[]): CaseRun[][] {
  const groups: CaseRun[][] = []
  const open = new Map<string, CaseRun[][]>()
  for (const run of runs) {
    const key = JSON.stringify([run.case, run.parameters, run.planRun])
    const candidates = open.get(key) ?? []
    open.set(key, candidates)
    const repetition = run.repetition
    const group =
      repetition === null ? undefined : candidates.find((one) => (one.at(-1)?.repetition ?? Infinity) < repetition)
    if (group) {
      group.push(run)
      continue
    }
    const created = [run]
    candidates.push(created)
    groups.push(created)
  }
  return groups
}

function toRow(group: CaseRun[], bundle: string, warn: Warn): Row {
  const first = requireAt(group, 0)
  const names = splitIdentifier(first.identifier, first.suiteIdentifier, first.name)
  const clean = (text: string | null) => (text === null ? null : cleanText(text))
  const folder = bundle === '' ? 'Data' : `${bundle}/Data`
  return {
    suite: clean(first.bundle),
    class: clean(names.class),
    name: cleanText(names.name),
    parameters: clean(first.parameters),
    file: null,
    environment: null,
    testId: null,
    durationMs: secondsToMs(group.at(-1)?.seconds),
    attempts: group.map((run) => toAttempt(run, names.class, warn)),
    repetition: null,
    outputs: [],
    attachments: group
      .flatMap((run, attempt) => run.attachments.map((attachment) => ({ ...attachment, attempt })))
      .map(({ name, reference, contentType, attempt }) => ({
        attempt,
        name: cleanText(name),
        path: `${folder}/data.${reference}`,
        contentType,
        isZstd: true,
      })),
  }
}

function toAttempt(run: CaseRun, className: string | null, warn: Warn): RowAttempt {
  const outcome = toXcodeOutcome(run.result)
  if (!outcome) warn('unknownStatus', null, `A result is ${JSON.stringify(run.result.slice(0, 100))}.`)
  const failures = run.issues.map(({ kind, message, file, line }) => {
    const text = cleanText(message)
    const place = file === null ? findPlace(text, className) : { file: cleanText(file).slice(0, 1000), line }
    return { kind, type: null, message: text, text: '', place }
  })
  return {
    outcome: outcome ?? 'skipped',
    durationMs: secondsToMs(run.seconds),
    failures: outcome === 'failed' ? failures : [],
    skipReason: outcome === 'skipped' && run.skipReason !== null ? cleanText(run.skipReason) : null,
  }
}
