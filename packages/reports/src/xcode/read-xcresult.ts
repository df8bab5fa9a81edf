/** Reads an `.xcresult` bundle: the database that xcresulttool writes beside `Info.plist`, in a child process. */
import { spawn } from 'node:child_process'
import { closeSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Upload, UploadEntry } from '../archive/upload.ts'
import type { Row, RowAttempt, RowSink } from '../cases/row.ts'
import { writeFully } from '../details/block-writer.ts'
import type { ReportLimits } from '../limits.ts'
import { ReportsError } from '../reports-error.ts'
import { cleanText } from '../text/clean-text.ts'
import { secondsToMs } from '../text/duration.ts'
import { findPlace } from '../text/find-place.ts'
import type { CaseRunLine, DatabaseLine } from './database-rows.ts'
import { splitIdentifier, toXcodeOutcome } from './xcode-test.ts'
import type { Warn } from '../warnings.ts'

const program = fileURLToPath(new URL('database-worker.ts', import.meta.url))
const heapMb = 512

export interface ReadXcresultOptions {
  upload: Upload
  /** The folder of the bundle inside the archive; `''` is the archive itself. */
  bundle: string
  database: UploadEntry
  folder: string
  limits: ReportLimits
  /** Limit of the time to read the database, in milliseconds. */
  timeoutMs: number
  warn: Warn
  /** Called with the id of the child process when it starts, and with 0 when it has ended. */
  onChild: (pid: number) => void
}

export async function readXcresult(sink: RowSink, options: ReadXcresultOptions): Promise<void> {
  const { upload, database, folder, limits, bundle, warn } = options
  const copy = join(folder, 'database.sqlite3')
  try {
    await copyEntry(upload, database, copy, limits.maxReportBytes)
    const groups = groupRuns(await readLines(copy, options))
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

async function readLines(path: string, { limits, timeoutMs, onChild }: ReadXcresultOptions): Promise<CaseRunLine[]> {
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${heapMb}`, '--disable-warning=ExperimentalWarning', program, path, String(limits.maxCases)],
    { stdio: ['ignore', 'pipe', 'ignore'], env: {}, timeout: timeoutMs, killSignal: 'SIGKILL' },
  )
  onChild(child.pid ?? 0)
  const closed = new Promise<{ signal: string | null }>((resolve, reject) => {
    child.once('close', (_, signal) => resolve({ signal }))
    child.once('error', reject)
  })
  const runs: CaseRunLine[] = []
  let hasEnded = false
  try {
    for await (const text of createInterface({ input: child.stdout })) {
      const line = JSON.parse(text) as DatabaseLine // only `database-worker.ts` writes such lines
      if (line.kind === 'fault') {
        throw new ReportsError(line.isTooLarge ? 'too-large' : 'malformed', `The database: ${line.detail}`)
      }
      if (line.kind === 'end') hasEnded = true
      else runs.push(line)
    }
    const { signal } = await closed
    if (!hasEnded)
      throw new ReportsError(signal === 'SIGKILL' ? 'timeout' : 'malformed', 'The database cannot be read.')
    return runs
  } finally {
    child.kill('SIGKILL')
    await closed.catch(() => undefined)
    onChild(0)
  }
}

/**
 * Groups runs into cases: runs of the same test, arguments and plan with rising repetition numbers are one case. A
 * repetition that is not higher starts another case, as for tests that run once per appearance (light, dark).
 */
function groupRuns(runs: CaseRunLine[]): CaseRunLine[][] {
  const groups: CaseRunLine[][] = []
  const open = new Map<string, CaseRunLine[][]>()
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
    const begun = [run]
    candidates.push(begun)
    groups.push(begun)
  }
  return groups
}

function toRow(group: CaseRunLine[], bundle: string, warn: Warn): Row {
  const [first] = group as [CaseRunLine] // groups are begun with a run
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
      .flatMap((run) => run.attachments)
      .map(({ name, reference, contentType }) => ({
        name: cleanText(name),
        path: `${folder}/data.${reference}`,
        contentType,
        isZstd: true,
      })),
  }
}

function toAttempt(run: CaseRunLine, className: string | null, warn: Warn): RowAttempt {
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
