import type { Crash, CrashGroup } from '@fairlead/contract'
import type { SourceFrame } from '../commits/frame-path.ts'

/**
 * The frames of the app in a crash, innermost first. Helpers that throw for others and all but the first frame of a
 * recursion are left out.
 */
export function listAppFrames(
  { frames }: Pick<Crash, 'frames'>,
  group: Pick<CrashGroup, 'skippedFrames'>,
): SourceFrame[] {
  const left = new Set<string | null>(group.skippedFrames.map(({ name }) => name))
  const own: SourceFrame[] = []
  for (const [index, { isApp, function: name, className, file, line }] of frames.entries()) {
    if (!isApp || left.has(name)) continue
    if (name !== null && own.some((other) => other.function === name)) continue
    own.push({ index, function: name, className, file, line: line === null || line <= 0 ? null : line })
  }
  return own
}

/** Gives frames of another crash of the same group the places of the same functions in the crash that is shown. */
export function placeFrames(frames: readonly SourceFrame[], shown: readonly SourceFrame[]): SourceFrame[] {
  return frames.map((frame) => {
    const same = shown.find((other) => other.function === frame.function)
    return { ...frame, index: same?.index ?? frame.index }
  })
}
