import assert from 'node:assert/strict'
import type { ChangeEvent } from '@fairlead/contract'
import { initialToken } from './start-server.ts'

/** What came in a stream of server-sent events. */
interface Received {
  type: 'change' | 'refresh'
  id: string | undefined
  data: ChangeEvent
}

export interface EventStream {
  headers: Headers
  /** Everything that has come so far, as text. */
  text(): string
  /** The id that the next stream begins after. */
  lastId(): string
  /** Waits for an event that fits, and returns it; events before it are passed over. */
  next(fits: (event: Received) => boolean): Promise<Received>
  /** Waits until the server has ended the stream. */
  end(): Promise<void>
  close(): void
}

/** Follows the events of a server at any address. */
export async function openEventStream(
  base: string,
  { query = '', headers = {} }: { query?: string; headers?: Record<string, string> } = {},
): Promise<EventStream> {
  const closing = new AbortController()
  const response = await fetch(`${base}/v1/events${query}`, {
    headers: { ...(headers['Cookie'] === undefined && { 'X-Service-Token': initialToken }), ...headers },
    signal: closing.signal,
  })
  assert.equal(response.status, 200)
  let text = ''
  let isOver = false
  let taken = 0
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const rise of waiting) rise()
    waiting.clear()
  }
  const read = async () => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true })
      wake()
    }
  }
  const over = read()
    .catch(() => {})
    .then(() => {
      isOver = true
      wake()
    })
  const sleep = () => new Promise<void>((rise) => waiting.add(rise))
  while (!text.includes('\n\n')) {
    assert.ok(!isOver, 'the stream ended before it began')
    await sleep()
  }
  return {
    headers: response.headers,
    text: () => text,
    lastId: () => [...text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? '',
    async next(fits) {
      for (;;) {
        const events = parse(text)
        while (taken < events.length) {
          const event = events[taken++]
          if (event && fits(event)) return event
        }
        assert.ok(!isOver, `the stream ended: ${text}`)
        await sleep()
      }
    },
    async end() {
      await over
    },
    close: () => closing.abort(),
  }
}

/** Parses the events that have come as a whole. */
function parse(text: string): Received[] {
  const blocks = text.split('\n\n').slice(0, -1)
  return blocks.flatMap((block) => {
    const find = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
    const [type, data] = [find('event'), find('data')]
    if ((type !== 'change' && type !== 'refresh') || data === undefined) return []
    return [{ type, id: find('id'), data: JSON.parse(data) }]
  })
}
