import type { ReadSession } from '../crash.ts'
import { type JsonObject, toInstant, toInteger, toLabel, toObject, toObjects, toText } from '../json/json-value.ts'
import { maxEnvironmentLength } from '../limits.ts'
import { splitRelease } from '../release.ts'

/**
 * The statuses of a crashed session. Browsers go on after an uncaught error, and their SDKs then call the session
 * unhandled; the event of that error counts as a crash, so its session does as well.
 */
const crashedStatuses: ReadonlySet<unknown> = new Set(['crashed', 'abnormal', 'unhandled'])

/** The number of aggregated sessions of an item that are read. */
const maxAggregates = 1000
/** The largest plausible count of an aggregate. */
const maxCount = 1_000_000

/** A change of a session: its start, its end, or both. */
export function readSession(session: JsonObject): ReadSession {
  return {
    ...splitRelease(toObject(session['attrs'])['release']),
    sessionId: toText(session['sid'], 64),
    startedAt: toInstant(session['started']),
    environment: toText(toObject(session['attrs'])['environment'], maxEnvironmentLength),
    installId: toLabel(session['did']),
    startedCount: session['init'] === true ? 1 : 0,
    crashedCount: crashedStatuses.has(session['status']) ? 1 : 0,
  }
}

/** Reads sessions that a server-side SDK has aggregated. */
export function readSessionAggregates(item: JsonObject): ReadSession[] {
  const release = splitRelease(toObject(item['attrs'])['release'])
  const environment = toText(toObject(item['attrs'])['environment'], maxEnvironmentLength)
  return toObjects(item['aggregates'])
    .slice(0, maxAggregates)
    .map((aggregate) => {
      const count = (name: string) => Math.min(Math.max(toInteger(aggregate[name]) ?? 0, 0), maxCount)
      const crashedCount = count('crashed') + count('abnormal') + count('unhandled')
      return {
        ...release,
        environment,
        sessionId: null,
        startedAt: toInstant(aggregate['started']),
        installId: toLabel(aggregate['did']),
        startedCount: count('exited') + count('errored') + crashedCount,
        crashedCount,
      }
    })
}
