import { invariant } from '@fairlead/invariant'
import type { CrashExplanation } from '@fairlead/contract'
import { z } from 'zod'
import { requireApplicationByAlias } from '../applications/find.ts'
import { type CrashTarget, explainCrash } from '../explanations/explain-crash.ts'
import { AgentError } from './agent-error.ts'
import { CrashBrief } from './briefs.ts'
import { type Call, shareOf } from './call.ts'
import { CommitState, Owners, Suspect, toCommitState, toLocation, toOwners, toSuspects } from './explained.ts'
import { applicationField, describeId } from './fields.ts'
import { Frame, Location } from './frames.ts'
import { MissingSymbols } from './missing-symbols.ts'
import { withoutMembers } from './owner-names.ts'
import { defineTool } from './tool.ts'
import {
  fieldRef,
  quoteSentence,
  Instant,
  quoteUrl,
  Sentence,
  sentence,
  toInstantText,
  toRef,
  toUuidOrNull,
} from './trusted.ts'
import { Cut, untrusted, untrustedOf } from './untrusted.ts'

const maxFrames = 20
const maxTests = 10
const maxMissing = 20
const maxExceptions = 10
const maxTypes = 5
const oneWay = sentence`Give one of crashGroupId, crashId, or application together with sourceId.`

const text = z.string()
const textOrNull = text.nullable()

export const explainCrashTool = defineTool({
  name: 'explain_crash',
  description:
    'Says why something crashes: the file and line, since which build, which commits may have caused it, who owns ' +
    'the file, which tests fail alike. Give a crashGroupId, a crashId, or application and sourceId (the event id of ' +
    'an SDK). Then open the file; get_crash has the rest of the stack.',
  input: z.strictObject({
    crashGroupId: describeId('The group, from list_crashes').optional(),
    crashId: describeId('One crash').optional(),
    application: applicationField.optional(),
    sourceId: z.string().min(1).max(500).optional().describe('Event id of the SDK, with application'),
  }),
  output: CrashBrief.extend({
    applicationId: z.int(),
    crash: z
      .object({
        crashId: z.int(),
        occurredDate: Instant,
        buildId: z.int().nullable(),
        untrusted: untrustedOf({
          exceptions: z.array(z.object({ type: text, message: textOrNull })),
          deviceModel: textOrNull,
          osName: textOrNull,
          osVersion: textOrNull,
          shortVersion: textOrNull,
          version: textOrNull,
        }),
        more: z.array(Cut).optional(),
      })
      .nullable(),
    location: Location,
    frames: z.array(Frame),
    introduced: z.object({
      buildId: z.int().nullable(),
      previousBuildId: z.int().nullable(),
      isCertain: z.boolean(),
      commits: CommitState,
    }),
    suspects: z.array(Suspect),
    owners: z.array(Owners),
    tests: z.array(
      z.object({
        testId: z.int(),
        failureId: z.int(),
        testRunId: z.int(),
        untrusted: untrustedOf({ name: text }),
        more: z.array(Cut).optional(),
      }),
    ),
    missingSymbols: z.array(MissingSymbols),
    build: z.object({ buildId: z.int(), sizeBytes: z.int(), sizeChangeBytes: z.int().nullable() }).nullable(),
    more: z.array(Cut),
    next: z.array(Sentence),
  }),
  async run(call, input) {
    const { context, caller } = call
    const found = await explainCrash(context, caller.workspaceId, await findTarget(call, input))
    const { crashGroupId: id, crash, introduced, build } = found
    const ref = toRef('crashExplanation', id)
    const ofCrash = crash === null ? ref : toRef('crash', crash.crashId)
    return {
      crashGroupId: id,
      kind: found.kind,
      status: found.status,
      crashCount: found.crashCount,
      installCount: found.installCount,
      firstSeenDate: toInstantText(found.firstSeenDate),
      lastSeenDate: toInstantText(found.lastSeenDate),
      isRegressed: found.isRegressed,
      url: quoteUrl(found.url, context.config.baseUrl),
      more: [],
      ...untrusted(shorten(found.untrusted), toRef('crashGroup', id)),
      applicationId: found.applicationId,
      crash: crash && {
        crashId: crash.crashId,
        occurredDate: toInstantText(crash.occurredDate),
        buildId: crash.buildId,
        ...untrusted(
          { ...crash.untrusted, exceptions: crash.untrusted.exceptions.slice(0, shareOf(call, maxExceptions)) },
          ofCrash,
        ),
      },
      location: toLocation(found.location, ofCrash),
      frames: found.frames.slice(0, shareOf(call, maxFrames)).map(({ untrusted: texts, ...frame }) => ({
        ...frame,
        ...untrusted(texts, fieldRef(ofCrash, `frames.${frame.index}`)),
      })),
      introduced: { ...introduced, commits: toCommitState(introduced.commits) },
      suspects: toSuspects(found.suspects, ref),
      owners: toOwners(await withoutMembers(context, caller.workspaceId, found.owners), ref),
      tests: found.tests
        .slice(0, shareOf(call, maxTests))
        .map(({ testId, failureId, testRunId, untrusted: texts }) => ({
          testId,
          failureId,
          testRunId,
          ...untrusted(texts, toRef('test', testId)),
        })),
      missingSymbols: toMissing(found.missingSymbols),
      build: build && { buildId: build.buildId, sizeBytes: build.sizeBytes, sizeChangeBytes: build.sizeChangeBytes },
      next: found.next.map(quoteSentence),
    }
  },
})

function shorten({ exceptionTypes, ...texts }: CrashExplanation['untrusted']) {
  return { ...texts, exceptionTypes: exceptionTypes.slice(0, maxTypes) }
}

function toMissing(missing: CrashExplanation['missingSymbols']) {
  return missing.slice(0, maxMissing).map(({ kind, uuid, command }) => ({
    kind: MissingSymbols.shape.kind.parse(kind),
    uuid: toUuidOrNull(uuid),
    command: quoteSentence(command),
  }))
}

interface Given {
  crashGroupId?: number | undefined
  crashId?: number | undefined
  application?: string | undefined
  sourceId?: string | undefined
}

/** @throws {AgentError} invalidInput unless exactly one way is given */
async function findTarget({ context, caller }: Call, given: Given): Promise<CrashTarget> {
  const { crashGroupId, crashId, application, sourceId } = given
  const isOne = [crashGroupId, crashId, sourceId].filter((value) => value !== undefined).length === 1
  if (!isOne || (sourceId !== undefined && application === undefined)) {
    throw new AgentError('invalidInput', { next: oneWay })
  }
  if (crashGroupId !== undefined) return { crashGroupId }
  if (crashId !== undefined) return { crashId }
  invariant(sourceId !== undefined && application !== undefined, 'it is the one way that is left')
  const { id } = await requireApplicationByAlias(context, caller.workspaceId, application)
  return { applicationId: id, sourceId }
}
