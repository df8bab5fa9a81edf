import type { Db } from '../db/open.ts'
import { listGroupSketches, listGroupStacks, updateGroup } from './groups-store.ts'
import {
  countInstalls,
  createSketch,
  mergeSketches,
  readSketch,
  writeSketch,
} from '../crash-releases/install-sketch.ts'
import { compareReleases } from '../crash-releases/release-order.ts'
import { listReleasesById } from '../crash-releases/releases-store.ts'

/** Sums the totals of a group up from its stacks. Returns whether the group has any. */
export async function sumGroup(trx: Db, groupId: number): Promise<boolean> {
  const stacks = await listGroupStacks(trx, groupId)
  if (stacks.length === 0) {
    await updateGroup(trx, groupId, { crash_count: 0, install_count: 0, sketch: null })
    return false
  }
  let sketch = createSketch()
  for (const bytes of await listGroupSketches(trx, groupId)) sketch = mergeSketches(sketch, readSketch(bytes))
  const releaseIds = new Set(stacks.flatMap((stack) => [stack.first_release_id, stack.last_release_id]))
  const known = await listReleasesById(
    trx,
    [...releaseIds].filter((id) => id !== null),
  )
  const releases = [...known.values()].toSorted(compareReleases)
  await updateGroup(trx, groupId, {
    crash_count: stacks.reduce((sum, stack) => sum + stack.crash_count, 0),
    install_count: countInstalls(sketch).count,
    sketch: writeSketch(sketch),
    first_seen_at: stacks.reduce((first, stack) => Math.min(first, stack.first_seen_at), Infinity),
    last_seen_at: stacks.reduce((last, stack) => Math.max(last, stack.last_seen_at), 0),
    first_release_id: releases[0]?.id ?? null,
    last_release_id: releases.at(-1)?.id ?? null,
    redirect_id: null,
  })
  return true
}
