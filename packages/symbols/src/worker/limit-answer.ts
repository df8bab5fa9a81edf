import type { SymbolicatedReport, SymbolicatedThread } from '../symbolicated.ts'
import { SymbolsError } from '../symbols-error.ts'

/** Bytes of JSON that an answer may have. A report of 16 MiB fits with its text and most of its frames. */
const maxAnswerBytes = 32 * 2 ** 20

/** Bytes of JSON for braces and for the names of the fields around threads and frames. */
const bytesAround = 100

/**
 * Keeps an answer below `maxBytes` of JSON. The text stays whole; frames that do not fit are left out of `threads`, and
 * a warning says so. Throws `too-large` when the text alone is over the limit.
 */
export function limitAnswer(report: SymbolicatedReport, maxBytes = maxAnswerBytes): SymbolicatedReport {
  const rest = { ...report, threads: [] }
  let room = maxBytes - measureJson(rest) - bytesAround
  if (room < 0) throw new SymbolsError('too-large', `Its answer would be over ${maxBytes} bytes.`)
  const threads: SymbolicatedThread[] = []
  let leftOut = 0
  for (const thread of report.threads) {
    room -= measureJson({ ...thread, frames: [] })
    const frames = leftOut > 0 || room < 0 ? [] : takeWhileRoom(thread.frames)
    leftOut += thread.frames.length - frames.length
    if (room >= 0) threads.push({ ...thread, frames })
  }
  if (leftOut === 0 && threads.length === report.threads.length) return report
  const warning = `The answer would be too large: the last ${leftOut} frames are in the text only.`
  return { ...report, threads, warnings: [...report.warnings, warning] }

  function takeWhileRoom(frames: SymbolicatedThread['frames']): SymbolicatedThread['frames'] {
    const end = frames.findIndex((frame) => {
      const size = measureJson(frame)
      if (size > room) return true
      room -= size
      return false
    })
    return end < 0 ? frames : frames.slice(0, end)
  }
}

/** Bytes of a value as JSON in UTF-8, with the comma after it. */
function measureJson(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value)) + 1
}
