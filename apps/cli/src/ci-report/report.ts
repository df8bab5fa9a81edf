import { appendFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Client } from '@fairlead/client'
import { CliError } from '../cli-error.ts'
import type { Io } from '../io.ts'
import { type Application, requireApplication } from '../lookups/application.ts'
import { writeNote, writeWarning } from '../output/write.ts'
import { readCiEnvironment } from '../ci/ci-environment.ts'
import { findForge } from './forges/find-forge.ts'
import { ForgeError } from './forges/call-forge.ts'
import type { Forge } from './forges/forge.ts'
import { findRemarks, listSources } from './find-remarks.ts'
import { keepCheck } from './keep-check.ts'
import { keepComment } from './keep-comment.ts'
import { readReportContent, type ReportContent, type ReportSubject } from './report-content.ts'
import { describeStatus, renderReport, toMark } from './report-text.ts'
import { readSource } from '../ci/source.ts'
import { readCiTestRun } from '../ci/test-run.ts'

export interface ReportFlags {
  readonly app: string
  readonly runKey?: string
  readonly build?: number
  readonly commit?: string
}

/** The text of the report, and the places to which it was written. */
export interface WrittenReport {
  text: string
  forge: string | null
  comment: boolean
  status: boolean
  /** A check with the report and remarks beside the lines that failed, where the forge has such checks. */
  check: boolean
  summary: boolean
}

/** Writes the summary of the job, the status of the commit and the one comment of the pull request. */
export async function writeReport(io: Io, client: Client, flags: ReportFlags): Promise<WrittenReport> {
  const application = await requireApplication(io, client, flags.app)
  const ci = readCiEnvironment(io.env)
  const { commit } = readSource(io, flags)
  const runKey = flags.runKey ?? readCiTestRun(io.env).key
  const subject = {
    application,
    commit,
    runKey,
    targetBranch: ci?.targetBranch,
    buildId: flags.build,
    known: new Map(),
  }
  const read = () => readReportContent(io, client, subject)
  const content = await read()
  if (!content.run && !content.build) {
    throw new CliError('notFound', `${flags.app} has neither a test run nor a build of this commit`, {
      fix: 'Upload them first with the same commit, or name them: --run-key KEY, --build ID.',
    })
  }
  const text = renderReport(content, await renderQrCode(content))
  const summary = await writeSummary(io, text)
  const nothing = { text, forge: null, comment: false, status: false, check: false, summary }
  if (!ci) return nothing
  const { forge, missing } = await findForge(io, ci)
  if (!forge) {
    writeWarning(io, `There is no comment and no check: ${missing}`)
    return nothing
  }
  const status = commit !== undefined && (await unlessForbidden(io, forge, () => keepStatus(forge, subject, read)))
  // A token that may not set a status has been warned about.
  const check = status && (await writeCheck(io, forge, { application, read }))
  const hasComment = ci.pullRequest !== undefined
  const render = async () => {
    const now = await read()
    return renderReport(now, await renderQrCode(now))
  }
  const comment =
    hasComment &&
    (await unlessForbidden(io, forge, async () => {
      await keepComment(forge, toMark(application.alias), render)
      return true
    }))
  return { ...nothing, forge: forge.name, comment, status, check }
}

/** Sets the status again until it is what is true after it was set, so that the last job leaves the last state. */
async function keepStatus(
  forge: Forge,
  { application }: ReportSubject,
  read: () => Promise<ReportContent>,
): Promise<true> {
  let written: string | undefined
  for (;;) {
    const content = await read()
    const status = { name: `fairlead/${application.alias}`, ...describeStatus(content), url: content.build?.installUrl }
    const next = JSON.stringify(status)
    if (next === written) return true
    await forge.setStatus(status)
    written = next
  }
}

interface CheckSubject {
  application: Application
  read: () => Promise<ReportContent>
}

async function writeCheck(io: Io, forge: Forge, { application, read }: CheckSubject): Promise<boolean> {
  const { checks } = forge
  if (!checks) return false
  const sources = await listSources(io)
  return await unlessForbidden(io, forge, () =>
    keepCheck(checks, async () => {
      const content = await read()
      const { state, description: title } = describeStatus(content)
      // The status says that tests are running; a check has a result.
      if (state === 'pending') return undefined
      return {
        name: `fairlead/${application.alias} report`,
        isSuccess: state === 'success',
        title,
        report: renderReport(content, await renderQrCode(content)),
        url: content.build?.installUrl,
        remarks: findRemarks(content.failures, sources),
      }
    }),
  )
}

/** A job of a fork has a token that may only read, which is no fault of the job. */
async function unlessForbidden(io: Io, forge: Forge, write: () => Promise<boolean>): Promise<boolean> {
  try {
    return await write()
  } catch (error) {
    io.signal.throwIfAborted()
    if (!(error instanceof ForgeError)) throw error
    if (error.status !== 401 && error.status !== 403) {
      throw new CliError('incomplete', `${forge.name} did not take the report`, { cause: error })
    }
    writeWarning(io, `${forge.name} does not let this job's token write: ${error.message}`)
    return false
  }
}

/** Appends the report to the summary of the job where the service has one. */
async function writeSummary(io: Io, text: string): Promise<boolean> {
  const { GITHUB_STEP_SUMMARY: path = '', TF_BUILD } = io.env
  if (path !== '') {
    await appendFile(resolve(io.cwd, path), `${text}\n`)
    return true
  }
  if (TF_BUILD !== 'True') return false
  const file = join(io.env.AGENT_TEMPDIRECTORY ?? tmpdir(), `fairlead-${process.pid}.md`)
  await writeFile(file, text)
  writeNote(io, `##vso[task.uploadsummary]${file}`)
  return true
}

async function renderQrCode({ build }: ReportContent): Promise<string | undefined> {
  if (!build) return undefined
  const { renderUnicodeCompact } = await import('uqr')
  return renderUnicodeCompact(build.installUrl, { border: 2 })
}
