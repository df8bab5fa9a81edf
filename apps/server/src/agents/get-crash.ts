import type { Crash } from '@fairlead/contract'
import { z } from 'zod'
import { requireCrash, requireCrashGroup } from '../crash-groups/find.ts'
import { isResolvedFrame } from '../crash-stacks/resolved-frame.ts'
import { listAppFrames } from '../explanations/app-frames.ts'
import { findLocation } from '../explanations/location.ts'
import { findKnownUuids } from '../symbols-files/find.ts'
import { type Call, shareOf } from './call.ts'
import { describeId } from './fields.ts'
import { toLocation } from './explained.ts'
import { Frame, Location, toFrame } from './frames.ts'
import { defineTool } from './tool.ts'
import { toRef, toUuidOrNull, Uuid } from './trusted.ts'
import { Cut, untrusted, untrustedOf } from './untrusted.ts'

const maxFrames = 50
const maxImages = 50
const maxBreadcrumbs = 20
/** Breadcrumbs are many and mostly say little. */
const breadcrumbLimit = 500
const maxExceptions = 10

const text = z.string()
const textOrNull = text.nullable()

export const getCrashTool = defineTool({
  name: 'get_crash',
  description:
    'Gets one crash in full: more frames than explain_crash shows, from a given one on, the images and what happened ' +
    'before. Call explain_crash first; it names the crash and mostly suffices.',
  input: z.strictObject({
    crashId: describeId('The crash, from explain_crash'),
    from: z.int().min(0).default(0).describe('First frame, for stacks of more than 50 frames'),
  }),
  output: z.object({
    crashId: z.int(),
    location: Location,
    frames: z.array(Frame),
    frameCount: z.int(),
    images: z.array(z.object({ uuid: Uuid, hasSymbols: z.boolean() })),
    untrusted: untrustedOf({
      exceptions: z.array(z.object({ type: text, message: textOrNull })),
      breadcrumbs: z.array(z.object({ type: text, category: textOrNull, message: textOrNull })),
      environment: text,
    }),
    more: z.array(Cut).optional(),
  }),
  async run(call, { crashId, from }) {
    const { context, caller } = call
    const crash = await requireCrash(context, caller.workspaceId, crashId)
    const ref = toRef('crash', crashId)
    const frames = crash.frames.map((frame) => ({ ...frame, isResolved: isResolvedFrame(frame) }))
    const shown = frames.slice(from, from + shareOf(call, maxFrames))
    const uuids = [...new Set(shown.flatMap(({ reported }) => reported?.imageUuid ?? []))].slice(0, maxImages)
    const known = await findKnownUuids(context, crash.applicationId, uuids)
    return {
      crashId,
      location: toLocation(await locateCrash(call, crash), ref),
      frames: shown.map((frame, index) => toFrame(frame, from + index, ref)),
      frameCount: frames.length,
      images: uuids.flatMap((one) => {
        const uuid = toUuidOrNull(one)
        return uuid === null ? [] : { uuid, hasSymbols: known.has(one.toLowerCase()) }
      }),
      ...untrusted(textsOfCrash(crash), ref, breadcrumbLimit),
    }
  },
})

/** The texts of a crash beside its frames, for answers and for `read_text`. The newest breadcrumbs come last. */
export function textsOfCrash(crash: Crash) {
  return {
    exceptions: crash.exceptions.slice(0, maxExceptions),
    breadcrumbs: crash.breadcrumbs
      .slice(-maxBreadcrumbs)
      .map(({ type, category, message }) => ({ type, category, message })),
    environment: crash.environment,
  }
}

/** Where to look for the cause of a crash. */
export async function locateCrash({ context, caller }: Pick<Call, 'context' | 'caller'>, crash: Crash) {
  const group = await requireCrashGroup(context, caller.workspaceId, crash.groupId)
  return findLocation(context.db, crash.applicationId, listAppFrames(crash, group), crash.buildId)
}
