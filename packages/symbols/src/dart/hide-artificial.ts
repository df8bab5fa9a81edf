import type { SourceFrame } from '../lookup/block.ts'

/**
 * Leaves out the frames of one address that the compiler made, as the tools of Dart do, unless nothing else stands
 * there. The last frame that is left is the one that holds the others.
 */
export function hideArtificial(frames: readonly SourceFrame[]): readonly SourceFrame[] {
  const written = frames.filter(({ artificial }) => !artificial)
  if (written.length === 0 || written.length === frames.length) return frames
  return written.map((frame, index) => (index === written.length - 1 ? { ...frame, inlined: false } : frame))
}
