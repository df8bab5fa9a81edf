import type { ServerResponse } from 'node:http'
import { ApiError, type ChangeEvent } from '@fairlead/contract'
import type { AccessChange, ChangeFeed, FeedMessage } from '../db/change-feed.ts'
import type { Caller } from '../http/caller.ts'
import { mergeChanges } from './merge-changes.ts'
import { writeChanges, writeHeartbeat, writeRefresh, writeStart } from './message.ts'
import { type Change, createRecentChanges } from './recent-changes.ts'

/** How long changes are collected before they are sent together, in milliseconds. */
const collectMs = 100
/** Proxies close a connection after about a minute of silence. */
const heartbeatMs = 20_000
/** A stream ends after so long, and the client's next one is authenticated again, so expired tokens do not last. */
const lifetimeMs = 15 * 60_000
/** The most bytes that wait for a slow reader before its stream is closed. */
const maxWaitingBytes = 64 * 1024
/** The most bytes of events that are sent together. A reader of more than may wait would be cut off again and again. */
const maxEventBytes = maxWaitingBytes / 2
/** The most streams of one account or token. */
const maxPerCaller = 50

export interface Stream {
  caller: Pick<Caller, 'workspaceId' | 'accountId' | 'apiTokenId'>
  /** Undefined for all applications. */
  applicationId: number | undefined
  /** Its head has been sent. */
  response: ServerResponse
}

interface OpenStream extends Stream {
  endsAt: number
}

export interface Streams {
  /** The number of open streams. */
  count(): number
  /** @throws {ApiError} tooManyStreams */
  requirePlace(caller: Stream['caller']): void
  /** Adds a stream, after what has happened since `lastEventId`. */
  add(stream: Stream, lastEventId: string | undefined): void
  /** Ends all streams. */
  close(): void
}

/**
 * The open streams of this process. An event is written once for each workspace and application, and every stream gets
 * the same bytes, so that a thousand open pages cost a thousand small writes and nothing else.
 */
export function createStreams(feed: ChangeFeed, { total }: { total: number }): Streams {
  const workspaces = new Map<number, Set<OpenStream>>()
  const recent = createRecentChanges()
  let collected: Change[] = []
  let flushing: NodeJS.Timeout | undefined
  let count = 0
  let isClosed = false
  const perWorkspace = Math.max(1, Math.floor(total * 0.75))

  const send = (stream: OpenStream, bytes: Buffer) => {
    stream.response.write(bytes)
    // Its client reads too slowly; it comes back with the last id that it has got.
    if (stream.response.writableLength > maxWaitingBytes) stream.response.destroy()
  }
  const eachStream = () => [...workspaces.values()].flatMap((streams) => [...streams])
  const endStreams = (isMeant: (stream: OpenStream) => boolean) => {
    for (const stream of eachStream()) if (isMeant(stream)) stream.response.end()
  }
  const flush = () => {
    flushing = undefined
    const id = recent.newestId()
    for (const [workspaceId, events] of mergeChanges(collected)) {
      const toBytes = rememberBytes(events, id)
      for (const stream of workspaces.get(workspaceId) ?? []) {
        const bytes = toBytes(stream.applicationId)
        if (bytes) send(stream, bytes)
      }
    }
    collected = []
  }
  const onMessages = (messages: FeedMessage[]) => {
    for (const message of messages) {
      if (message.type === 'access') endStreams((stream) => isConcerned(stream, message.access))
      else if (message.type === 'gap') {
        recent.clear()
        const bytes = writeRefresh(recent.newestId())
        for (const stream of eachStream()) send(stream, bytes)
      } else {
        recent.add([message])
        if (workspaces.has(message.workspaceId)) collected.push(message)
      }
    }
    if (collected.length > 0) flushing ??= setTimeout(flush, collectMs)
  }
  const unsubscribe = feed.subscribe(onMessages)
  const heartbeat = setInterval(() => {
    const bytes = writeHeartbeat(recent.newestId())
    const now = Date.now()
    for (const stream of eachStream()) {
      if (stream.endsAt < now) stream.response.end()
      // A reader that has not even read the last heartbeat needs no other one.
      else if (stream.response.writableLength === 0) send(stream, bytes)
    }
  }, heartbeatMs)
  heartbeat.unref()

  return {
    count: () => count,
    requirePlace(caller) {
      const streams = [...(workspaces.get(caller.workspaceId) ?? [])]
      const own = streams.filter((stream) => isSameCaller(stream.caller, caller))
      if (count < total && streams.length < perWorkspace && own.length < maxPerCaller) return
      throw new ApiError('tooManyStreams', { headers: { 'retry-after': '30' } })
    },
    add(given, lastEventId) {
      const { response, caller } = given
      // Without this part, all clients of a process that has just started would come back at the same moment.
      const stream = { ...given, endsAt: Date.now() + lifetimeMs * (1 + Math.random() / 2) }
      const streams = workspaces.get(caller.workspaceId) ?? new Set()
      workspaces.set(caller.workspaceId, streams)
      streams.add(stream)
      count++
      response.once('close', () => {
        streams.delete(stream)
        if (streams.size === 0) workspaces.delete(caller.workspaceId)
        count--
      })
      send(stream, writeStart(recent.newestId()))
      if (lastEventId !== undefined) send(stream, catchUp(stream, lastEventId))
      if (isClosed) response.end()
    },
    close() {
      isClosed = true
      unsubscribe()
      clearInterval(heartbeat)
      if (flushing) {
        clearTimeout(flushing)
        flush()
      }
      endStreams(() => true)
    },
  }

  function catchUp({ caller, applicationId }: OpenStream, lastEventId: string): Buffer {
    const id = recent.newestId()
    const missed = recent.listSince(lastEventId)?.filter(({ workspaceId }) => workspaceId === caller.workspaceId)
    if (!missed) return writeRefresh(id)
    const events = mergeChanges(missed).get(caller.workspaceId) ?? []
    return rememberBytes(events, id)(applicationId) ?? Buffer.alloc(0)
  }
}

/**
 * Returns the bytes of the events of one application, or of all, which are made once; undefined for none. Too many
 * events become one that says that everything may have changed.
 */
function rememberBytes(events: readonly ChangeEvent[], id: string) {
  const known = new Map<number | undefined, Buffer | undefined>()
  return (applicationId: number | undefined): Buffer | undefined => {
    if (!known.has(applicationId)) {
      const own = applicationId === undefined ? events : events.filter((event) => event.applicationId === applicationId)
      const bytes = own.length === 0 ? undefined : writeChanges(own, id)
      known.set(applicationId, bytes && bytes.length > maxEventBytes ? writeRefresh(id) : bytes)
    }
    return known.get(applicationId)
  }
}

function isSameCaller(one: Stream['caller'], other: Stream['caller']): boolean {
  return one.accountId === other.accountId && one.apiTokenId === other.apiTokenId
}

function isConcerned({ caller }: Stream, { workspaceId, accountId, apiTokenId }: AccessChange): boolean {
  return (
    (workspaceId === null || workspaceId === caller.workspaceId) &&
    (accountId === null || accountId === caller.accountId) &&
    (apiTokenId === null || apiTokenId === caller.apiTokenId)
  )
}
