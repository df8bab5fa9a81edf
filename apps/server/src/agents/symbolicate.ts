import { ApiError, SymbolicatedCrash } from '@fairlead/contract'
import { z } from 'zod'
import { requireApplicationByAlias } from '../applications/find.ts'
import { requireBuild } from '../builds/find.ts'
import { openFrameJudge } from '../crash-stacks/frame-judge.ts'
import { findSuspects } from '../commits/find-suspects.ts'
import type { SourceFrame } from '../commits/frame-path.ts'
import { findLocation } from '../explanations/location.ts'
import { symbolicateCrash } from '../symbolication/symbolicate-crash.ts'
import { type Call, shareOf } from './call.ts'
import { applicationField, describeId } from './fields.ts'
import { Suspect, toLocation, toSuspects } from './explained.ts'
import { type AnyFrame, Frame, Location, toFrame } from './frames.ts'
import { MissingSymbols, toMissingSymbols } from './missing-symbols.ts'
import { defineTool } from './tool.ts'
import { sentence, toAlias, toRef } from './trusted.ts'

const maxFrames = 50
const maxReport = 200_000
const maxMissing = 20
const noFrames = sentence`No frame was found: pass the whole report with its stack, as the device or console wrote it.`

export const symbolicateTool = defineTool({
  name: 'symbolicate',
  description:
    'Resolves the text of a crash (Android trace or log, .ips, .crash) with the symbols of an application. Use it ' +
    'for a report that somebody pasted; crashes on this server are resolved already.',
  input: z.strictObject({
    application: applicationField,
    report: z.string().max(maxReport).describe('The report as it is'),
    buildId: describeId('Build that crashed, if the report does not say it').optional(),
  }),
  output: z.object({
    frames: z.array(Frame),
    location: Location,
    missingSymbols: z.array(MissingSymbols),
    suspects: z.array(Suspect),
  }),
  async run(call, { application: alias, report, buildId }) {
    const { context, caller } = call
    const application = await requireApplicationByAlias(context, caller.workspaceId, alias)
    const crash = await resolve(call, application.id, report, buildId)
    const isApp = await openFrameJudge(context, application.id)
    const isScript = crash.kind === 'javascript' || crash.kind === 'dart'
    const thread = crash.threads.find(({ crashed }) => crashed) ?? crash.threads[0]
    const frames = (thread?.frames ?? []).map((frame): AnyFrame => {
      const className = crash.kind === 'android' ? toClassName(frame.function) : null
      const isResolved = crash.symbolsFileIds.length > 0 && isChanged(frame)
      const isSource = isScript && frame.line !== null
      return { ...frame, className, isApp: isApp({ ...frame, className, isSource }), isResolved }
    })
    const ref = toRef('application', application.id)
    const own = listOwnFrames(frames)
    const location = toLocation(await findLocation(context.db, application.id, own, buildId ?? null), ref)
    const failing = buildId === undefined ? [] : [{ id: buildId, distance: 0, frames: own }]
    const suspects = await findSuspects(context.db, application.id, failing)
    return {
      frames: frames.slice(0, shareOf(call, maxFrames)).map((frame, index) => withoutMore(toFrame(frame, index, ref))),
      location: location && withoutMore(location),
      missingSymbols: crash.missingSymbols
        .slice(0, maxMissing)
        .map(({ uuid }) => toMissingSymbols(kindOf[crash.kind], uuid, toAlias(application.alias), buildId ?? null)),
      suspects: toSuspects(suspects, ref).map(withoutMore),
      ...(frames.length === 0 && { next: [noFrames] }),
    }
  },
})

/** The frames of the app that have not been seen further in, as commits are compared with. */
function listOwnFrames(frames: AnyFrame[]): SourceFrame[] {
  return frames.flatMap(({ isApp, function: name, className, file, line }, index) => {
    if (!isApp || (name !== null && frames.findIndex((other) => other.function === name) < index)) return []
    return { index, function: name, className, file, line: line === null || line <= 0 ? null : line }
  })
}

/** The report is kept nowhere, so there is nothing to read the rest of a name from. */
function withoutMore<Value extends { more?: unknown }>({ more: _more, ...value }: Value): Omit<Value, 'more'> {
  return value
}

const kindOf = { android: 'proguard', apple: 'dsym', native: 'elf', dart: 'dartmap', javascript: 'sourcemap' } as const

async function resolve(
  { context, caller, signal }: Call,
  applicationId: number,
  report: string,
  buildId: number | undefined,
): Promise<SymbolicatedCrash> {
  const build = buildId === undefined ? undefined : await requireBuild(context, caller.workspaceId, buildId)
  // The versions of another application's build would choose symbols, and its commits would be the suspects.
  if (build && build.application_id !== applicationId) throw new ApiError('buildNotFound')
  const query = build ? { version: build.version, shortVersion: build.short_version } : {}
  const crash = { text: [Buffer.from(report)], query, signal }
  const json = await symbolicateCrash(context, caller.workspaceId, applicationId, crash)
  return SymbolicatedCrash.parse(JSON.parse(Buffer.concat(json).toString()))
}

function toClassName(name: string | null): string | null {
  const dot = name?.lastIndexOf('.') ?? -1
  return name !== null && dot > 0 ? name.slice(0, dot) : null
}

/** Symbols have given what a frame says if the line of the report does not say it. */
function isChanged({ function: name, line, inlined, raw }: SymbolicatedCrash['threads'][number]['frames'][number]) {
  if (name === null || line === null || line <= 0) return false
  return inlined || !raw.includes(`:${line}`) || !raw.includes(name.slice(name.lastIndexOf('.') + 1))
}
