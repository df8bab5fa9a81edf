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
 * Puts the logs of a case into one order, attempt by attempt. Files of an attempt with a time zone share a clock, which
 * begins with the earliest entry of them. A file without a zone, as logcat, is placed by its own start: the line in
 * which the test runner says that the case started, or else its first entry. What does not say its attempt counts as
 * of the last one, whose outcome is that of the case.
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
  const { attempts, attachments, outputs } = await readFailureContents(context, row)
  const lastAttempt = Math.max(1, attempts.length)
  const year = new Date(run.created_at).getUTCFullYear()
  const logs: AttemptLog[] = []
  let isLeftOut = false
  const add = async (from: { source: string; attempt: number }, content: { path: string } | { text: string }) => {
    const turn = { turnKey: String(workspaceId), signal }
    try {
      const log = await context.readers.logs.readLog(content, year, turn).catch(refuseWhenFull)
      if (log) logs.push({ ...log, ...from })
    } catch (error) {
      // A log that takes too much time or memory is left out, and the others are shown.
      if (!(error instanceof ReportsError)) throw error
      isLeftOut = true
    }
  }
  for (const { text } of outputs) await add({ source: 'output', attempt: lastAttempt }, { text })
  const files = attachments.filter(
    ({ name, contentType, size }) =>
      size <= maxBytes && (logNames.test(name) || (contentType !== null && logTypes.test(contentType))),
  )
  for (const { name, key, attempt } of files.slice(0, maxFiles)) {
    await using file = await context.blobs.open(key)
    await add({ source: name, attempt: attempt ?? lastAttempt }, { path: file.path })
  }
  const videos = attachments.flatMap(({ id: attachmentId, name, contentType, attempt }) =>
    contentType !== null && videoTypes.test(contentType)
      ? [{ attachmentId, name, contentType, attempt: attempt ?? lastAttempt }]
      : [],
  )
  const numbers = [...new Set([...logs, ...videos].map(({ attempt }) => attempt))].toSorted((a, b) => a - b)
  const ofAttempts = numbers.map((attempt) => orderEntries(attempt, logs))
  // Every attempt has the same share, so that a long log of one does not push out those of the others.
  const share = Math.floor(maxEntries / Math.max(1, numbers.length))
  const starts = ofAttempts.flatMap(({ startedAt }) => (startedAt === null ? [] : [startedAt]))
  return {
    startDate: toInstantOrNull(findEarliest(starts)),
    attempts: ofAttempts.map(({ attempt, startedAt }) => ({ attempt, startDate: toInstantOrNull(startedAt) })),
    videos,
    entries: ofAttempts.flatMap(({ entries }) => entries.slice(0, share)),
    isCut:
      isLeftOut ||
      files.length > maxFiles ||
      logs.some(({ isCut }) => isCut) ||
      ofAttempts.some(({ entries }) => entries.length > share),
  }
}

interface AttemptLog extends ReadLog {
  source: string
  attempt: number
}

/** Puts the logs of one attempt on its clock, and orders their entries by it. */
function orderEntries(attempt: number, all: AttemptLog[]) {
  const logs = all.filter((log) => log.attempt === attempt)
  const zoned = logs.filter(({ isZoned }) => isZoned).flatMap(({ entries }) => entries.map(({ at }) => at))
  const startedAt = findEarliest(zoned)
  const entries = logs.flatMap(({ entries: some, isZoned, startedAt: own, source }) => {
    const zero = isZoned ? (startedAt ?? 0) : (own ?? some[0]?.at ?? 0)
    return some.map(({ at, kind, isError, text }) => ({ atMs: at - zero, attempt, kind, source, isError, text }))
  })
  return { attempt, startedAt, entries: entries.toSorted((a, b) => a.atMs - b.atMs) }
}

function findEarliest(times: number[]): number | null {
  return times.length === 0 ? null : times.reduce((first, at) => Math.min(first, at))
}
