import type { ReadThread, ReportedFrame } from '../crash.ts'
import type { JsonObject } from '../json/json-value.ts'
import { toLabel, toObject, toObjects, toText } from '../json/json-value.ts'
import { maxThreadFrames, maxThreads } from '../limits.ts'

/**
 * Reads all threads of an event, the crashed one first. `exceptionFrames` are its frames where the thread itself has
 * none, because SDKs write the stack of an exception only once.
 */
export function readThreads(
  event: JsonObject,
  exceptionFrames: readonly ReportedFrame[],
  toFrames: (holder: JsonObject) => ReportedFrame[],
): ReadThread[] {
  const threads = toObjects(event['threads']).slice(0, maxThreads)
  if (threads.length === 0) return []
  const crashed =
    threads.find((thread) => thread['crashed'] === true) ?? threads.find(({ current }) => current === true)
  const ordered = crashed ? [crashed, ...threads.filter((thread) => thread !== crashed)] : threads
  let left = maxThreadFrames
  return ordered.map((thread) => {
    const own = toFrames(thread).slice(0, left)
    const frames = thread === crashed && exceptionFrames.length > 0 ? exceptionFrames.slice(0, left) : own
    left -= frames.length
    return {
      id: toLabel(thread['id']),
      name: toText(thread['name'], 200),
      state: toText(thread['state'], 64) ?? readHeldState(thread),
      isCrashed: thread === crashed,
      frames,
    }
  })
}

/** What the SDK for Android writes of a lock that a thread waits for. */
function readHeldState(thread: JsonObject): string | null {
  return Object.keys(toObject(thread['held_locks'])).length > 0 ? 'holds locks' : null
}
