import type { ChangeEvent } from '@fairlead/contract'
import { RequestError } from './request-error.ts'
import { findDelay, wait } from './retry.ts'
import type { Answer } from './transport/transport.ts'

export type StreamedEvent = (
  | { type: 'open' }
  | { type: 'change'; event: ChangeEvent }
  /** Changes may have been missed, so that what was read before may be old. */
  | { type: 'refresh' }
  /** Nothing has happened. */
  | { type: 'heartbeat' }
) & {
  /** Where a later stream may begin. */
  lastEventId: string | undefined
}

interface FollowOptions {
  signal?: AbortSignal | undefined
  lastEventId?: string | undefined
}

/** The most characters of one event. */
const longestEvent = 2 ** 20
/** The longest pause before the next stream after one that ended, in milliseconds; many clients end at once. */
const longestPauseMs = 2000

/** Reads streams one after the other, each from where the one before ended. */
export async function* followEvents(
  open: (lastEventId: string | undefined) => Promise<Answer>,
  { signal, lastEventId }: FollowOptions,
): AsyncGenerator<StreamedEvent> {
  let lastId = lastEventId
  let failures = 0
  for (;;) {
    try {
      const { body } = await open(lastId)
      if (body === null) throw RequestError.unreachable()
      yield { type: 'open', lastEventId: lastId }
      for await (const message of readMessages(body)) {
        failures = 0
        lastId = message.id ?? lastId
        yield { ...toEvent(message), lastEventId: lastId }
      }
      await wait(Math.random() * longestPauseMs, signal)
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof RequestError)) throw error
      const delayMs = findDelay(error, Math.min(failures, 6), true)
      if (delayMs === undefined) throw error
      failures++
      await wait(delayMs, signal)
    }
  }
}

interface Message {
  name: string
  data: string
  id: string | undefined
}

/** Splits a `text/event-stream`, as the WHATWG's HTML standard describes it, whose lines end with a line feed. */
async function* readMessages(body: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      text += decoder.decode(value, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      if (text.length > longestEvent) throw RequestError.unreachable()
      for (const block of blocks) yield parseMessage(block)
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

function parseMessage(block: string): Message {
  const message: Message = { name: '', data: '', id: undefined }
  for (const line of block.split('\n')) {
    const [, field, value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? []
    if (field === 'event') message.name = value
    if (field === 'data') message.data += value
    if (field === 'id') message.id = value
  }
  return message
}

/** Later servers may tell of what this client does not know, which is as much to it as nothing. */
function toEvent({ name, data }: Message) {
  if (name === 'refresh') return { type: 'refresh' } as const
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server's tests hold its events to the type
    if (name === 'change') return { type: 'change', event: JSON.parse(data) as ChangeEvent } as const
  } catch {
    // What cannot be read is passed over.
  }
  return { type: 'heartbeat' } as const
}
