import type { ReadThread, ReportedFrame } from '../crash.ts'
import { type JsonObject, toLabel, toList, toObject, toObjects, toText } from '../json/json-value.ts'
import { maxFrames } from '../limits.ts'
import { limitThreads } from '../stack/limit-threads.ts'

/** Reads the threads of a log. `frames` are those of the crash, which the thread that crashed has. */
export function readLogThreads(
  log: JsonObject,
  frames: readonly ReportedFrame[],
  toFrame: (frame: JsonObject) => ReportedFrame,
): ReadThread[] {
  const crashed = toLabel(log['errorThreadId'])
  const threads = toObjects(log['threads']).map((thread): ReadThread => {
    const id = toLabel(thread['id'])
    const isCrashed = id !== null && id === crashed
    const own = toList(thread['frames']).slice(0, maxFrames)
    const name = toText(thread['name'], 200) ?? (isCrashed ? toText(log['errorThreadName'], 200) : null)
    const read = isCrashed && frames.length > 0 ? [...frames] : own.map((frame) => toFrame(toObject(frame)))
    return { id, name, state: null, isCrashed, frames: read }
  })
  return limitThreads(threads)
}
