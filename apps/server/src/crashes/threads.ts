import type { CrashThread } from '@fairlead/contract'
import { type KeptReport, listNeeds, type ResolvedStack, type StackContent, unpackJson } from '@fairlead/crashes'
import { requireAt } from '@fairlead/invariant'
import type { AppContext } from '../context.ts'
import { findApplicationOfCrashes } from '../crash-stacks/application-store.ts'
import { toFrames } from '../crash-groups/crash.ts'
import { requireCrashRow } from '../crash-groups/crash-store.ts'
import { findSymbols } from '../crash-stacks/find-symbols.ts'
import { findFrameOwner } from '../crash-stacks/frame-owner.ts'
import { resolveStacks } from '../crash-stacks/resolve-stacks.ts'

/**
 * Lists the threads of a crash with source lines, the crashed one first. Only the crashed thread is resolved when a
 * crash is read; the others are resolved now, with the symbols that are there.
 *
 * @throws {ApiError} crashNotFound
 */
export async function listCrashThreads(
  context: Pick<AppContext, 'db' | 'blobs' | 'readers'>,
  workspaceId: number,
  id: number,
): Promise<CrashThread[]> {
  const { db } = context
  const row = await requireCrashRow(db, workspaceId, id)
  const content = unpackJson<StackContent>(row.content)
  const report = row.report === null ? undefined : unpackJson<Partial<KeptReport>>(row.report)
  // Reports of former versions hold no threads, and many senders report one thread only.
  const threads = report?.threads ?? []
  if (threads.length === 0) {
    const resolved = unpackJson<ResolvedStack>(row.resolved)
    const addresses = { addresses: report?.addresses ?? [] }
    const frames = toFrames(resolved.frames, content, addresses)
    return [{ id: null, name: null, state: null, isCrashed: true, frameCount: content.frames.length, frames }]
  }
  const application = await findApplicationOfCrashes(db, row.application_id)
  if (!application) return []
  const contents = threads.map(({ frames }): StackContent => ({ ...content, frames }))
  const found = await findSymbols(db, application, contents.map(listNeeds))
  const stacks = contents.map((one, place) => ({ content: JSON.stringify(one), found: requireAt(found, place) }))
  const resolved = await resolveStacks(context, stacks, await findFrameOwner(db, application))
  return threads.map(({ id: threadId, name, state, isCrashed, frames }, place) => {
    const packed = resolved[place]
    const stack = packed && unpackJson<ResolvedStack>(packed.resolved)
    const addresses = { addresses: frames.map(({ address }) => address) }
    return {
      id: threadId,
      name,
      state,
      isCrashed,
      frameCount: frames.length,
      frames: stack ? toFrames(stack.frames, { frames }, addresses) : [],
    }
  })
}
