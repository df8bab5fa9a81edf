import type { FollowEvents } from '@fairlead/contract'
import type { CallOptions, Connection } from './connection.ts'
import type { StreamedEvent } from './follow-events.ts'

export function eventsOf(connection: Connection) {
  /** Opens one stream of server-sent events, whose bytes the caller reads, after the event with the id. */
  const open = (
    query: FollowEvents,
    { lastEventId, ...options }: CallOptions & { lastEventId?: string | undefined } = {},
  ) =>
    connection.open('GET', '/v1/events', {
      query: { applicationId: query.applicationId },
      headers: { Accept: 'text/event-stream', ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }) },
      isDownload: true,
      ...options,
    })
  return {
    open,
    /**
     * Follows the events of the workspace until the signal is aborted, over lost connections and restarts of the
     * server. Throws `RequestError` when the server refuses, and the reason of the signal.
     */
    follow: async function* follow(
      query: FollowEvents,
      options: CallOptions & { lastEventId?: string | undefined } = {},
    ): AsyncGenerator<StreamedEvent> {
      // Loaded when it is needed, because the first page of the dashboard has to be small.
      const { followEvents } = await import('./follow-events.ts')
      yield* followEvents((lastEventId) => open(query, { ...options, lastEventId }), options)
    },
  }
}
