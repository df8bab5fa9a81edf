/** Frames of native code of tombstones and of dumps of threads. */
import { toDebugId, type TombstoneFrame } from '@fairlead/symbols'
import { type CrashImage, emptyFrame, type ReportedFrame } from '../crash.ts'
import { isAppPath } from '../image-places.ts'
import { maxImages, maxNameLength } from '../limits.ts'

/** The libraries that frames lie in and that have a build id, each once. */
export function listLibraries(frames: readonly TombstoneFrame[], architecture: string | null): CrashImage[] {
  const images = new Map<string, CrashImage>()
  for (const { buildId, path, module } of frames) {
    if (buildId === null || images.size >= maxImages) continue
    const uuid = toUuid(buildId)
    const name = module.slice(0, maxNameLength)
    images.set(uuid, { name, uuid, architecture, isApp: isAppPath(path), isElf: true, codeId: buildId })
  }
  return [...images.values()]
}

export function toNativeFrame({ pc, module, function: name, buildId }: TombstoneFrame): ReportedFrame {
  return {
    ...emptyFrame,
    function: name?.slice(0, maxNameLength) ?? null,
    imageUuid: buildId === null ? null : toUuid(buildId),
    imageOffset: Number.isSafeInteger(pc) ? pc : null,
    module: module.slice(0, maxNameLength),
    isFileAddress: true,
  }
}

function toUuid(buildId: string): string {
  return toDebugId(Buffer.from(buildId, 'hex')).toLowerCase()
}
