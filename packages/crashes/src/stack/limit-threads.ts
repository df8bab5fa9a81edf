import type { ReadThread } from '../crash.ts'
import { maxThreadFrames, maxThreads } from '../limits.ts'

/**
 * Puts the crashed threads first, and keeps as many threads and frames as a report may have. A thread that is alone and
 * of which nothing but the frames is known is left out, because those are the frames of the crash.
 */
export function limitThreads(threads: readonly ReadThread[]): ReadThread[] {
  const [only] = threads
  if (threads.length === 1 && only?.name === null && only.state === null) return []
  const crashed = threads.filter(({ isCrashed }) => isCrashed)
  let left = maxThreadFrames
  return [...crashed, ...threads.filter(({ isCrashed }) => !isCrashed)].slice(0, maxThreads).map((thread) => {
    const frames = thread.frames.slice(0, left)
    left -= frames.length
    return { ...thread, frames }
  })
}
