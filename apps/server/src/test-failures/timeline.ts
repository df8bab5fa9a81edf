import type { TestTimeline } from '@fairlead/contract'
import { type ReadLog, ReportsError } from '@fairlead/reports'
import { refuseWhenFull } from '../http/queue-full.ts'
import { toInstantOrNull } from '../http/instant.ts'
import { requireFailure } from './failure.ts'
import { type CrashContext, readFailureContents } from './find-crashes.ts'

/** Limits of a timeline: the bytes of a file, the number of files, and the number of entries in all files. */
const maxBytes = 8 * 2 ** 20
const maxFiles = 12
const maxEntries = 10_000

const logTypes = /^(text\/|application\/(json|x-ndjson|octet-stream|xml))/
const logNames = /\.(txt|log|jsonl?|ndjson|har)$|logcat/i
const videoTypes = /^video\/(mp4|webm|quicktime)$/

/**
 * Puts the logs of a case into one order. Files with a time zone share a clock, which begins with the earliest entry of
 * them. A file without a zone, as logcat, is placed by its own start: the line in which the test runner says that the
 * case started, or else its first entry.
 *
 * @throws {ApiError} testFailureNotFound, tooManyRequests, overloaded
 */
export async function describeTimeline(
  context: CrashContext,
  workspaceId: number,
  id: number,
  signal: AbortSignal,
): Promise<TestTimeline> {
  const { row, run } = await requireFailure(context, workspaceId, id)
  const { attachments, outputs } = await readFailureContents(context, row)
  const year = new Date(run.created_at).getUTCFullYear()
  const logs: (ReadLog & { source: string })[] = []
  let isLeftOut = false
  const add = async (source: string, content: { path: string } | { text: string }) => {
    const turn = { turnKey: String(workspaceId), signal }
    try {
      const log = await context.readers.logs.readLog(content, year, turn).catch(refuseWhenFull)
      if (log) logs.push({ ...log, source })
    } catch (error) {
      // A log that takes too much time or memory is left out, and the others are shown.
      if (!(error instanceof ReportsError)) throw error
      isLeftOut = true
    }
  }
  for (const { text } of outputs) await add('output', { text })
  const files = attachments.filter(
    ({ name, contentType, size }) =>
      size <= maxBytes && (logNames.test(name) || (contentType !== null && logTypes.test(contentType))),
  )
  for (const { name, key } of files.slice(0, maxFiles)) {
    await using file = await context.blobs.open(key)
    await add(name, { path: file.path })
  }
  const zoned = logs.filter(({ isZoned }) => isZoned).flatMap(({ entries }) => entries.map(({ at }) => at))
  const startedAt = zoned.length === 0 ? null : zoned.reduce((first, at) => Math.min(first, at))
  const entries = logs.flatMap(({ entries: some, isZoned, startedAt: own, source }) => {
    const zero = isZoned ? (startedAt ?? 0) : (own ?? some[0]?.at ?? 0)
    return some.map(({ at, kind, isError, text }) => ({ atMs: at - zero, kind, source, isError, text }))
  })
  return {
    startDate: toInstantOrNull(startedAt),
    videos: attachments.flatMap(({ id: attachmentId, name, contentType }) =>
      contentType !== null && videoTypes.test(contentType) ? [{ attachmentId, name, contentType }] : [],
    ),
    entries: entries.toSorted((a, b) => a.atMs - b.atMs).slice(0, maxEntries),
    isCut: entries.length > maxEntries || isLeftOut || logs.some(({ isCut }) => isCut) || files.length > maxFiles,
  }
}
