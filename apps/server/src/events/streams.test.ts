/** Tests what streams cost a server over real sockets, with changes that the test tells of itself. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import { describe, it, type TestContext } from 'node:test'
import { createSubscribers } from '../db/change-feed.ts'
import { requireAddress } from '../http/listening-address.ts'
import { createStreams, type Streams } from './streams.ts'

const caller = { workspaceId: 1, accountId: 1, apiTokenId: null }

interface Opened {
  streams: Streams
  /** Tells of new builds of so many applications, which are no event together. Returns the id of the change. */
  tell: (count: number) => string
  /** The side of the server of each stream, in the order in which they were opened. */
  responses: ServerResponse[]
  open: (lastEventId?: string) => Promise<Reader>
}

interface Reader {
  response: IncomingMessage
  text: () => string
  isOver: () => boolean
}

async function openStreams(context: TestContext): Promise<Opened> {
  const feed = createSubscribers()
  const streams = createStreams(feed, { total: 100 })
  const responses: ServerResponse[] = []
  const server = createServer((request, response) => {
    responses.push(response)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const lastEventId = request.headers['last-event-id']
    streams.add({ caller, applicationId: undefined, response }, lastEventId?.toString())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  context.after(() => {
    streams.close()
    server.closeAllConnections()
    server.close()
  })
  let told = 0
  return {
    streams,
    responses,
    tell(count) {
      const id = `change-${++told}`
      feed.tell(
        Array.from({ length: count }, (_, index) => ({
          type: 'change',
          id,
          workspaceId: 1,
          event: { kind: 'build', change: 'created', applicationId: index + 1, ids: [told * 10_000 + index] },
        })),
      )
      return id
    },
    async open(lastEventId) {
      const headers = lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }
      const request = get({ port: requireAddress(server).port, host: '127.0.0.1', agent: false, headers })
      const [response]: IncomingMessage[] = await once(request, 'response')
      assert.ok(response)
      let text = ''
      let isOver = false
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('error', () => {})
      response.once('close', () => (isOver = true))
      return { response, text: () => text, isOver: () => isOver }
    },
  }
}

async function until(what: string, isSo: () => boolean, waitMs = 30_000): Promise<void> {
  const deadline = performance.now() + waitMs
  while (!isSo()) {
    assert.ok(performance.now() < deadline, what)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

describe('the streams of a process', { timeout: 480_000 }, () => {
  it('cut a reader off that leaves too much unread, in bounded memory and without harm to others', async (context) => {
    const { streams, tell, responses, open } = await openStreams(context)
    const slow = await open()
    const fast = await open()
    slow.response.pause()
    const waiting = () => responses[0]?.writableLength ?? 0
    let most = 0
    let slowest = 0
    // The kernel keeps some megabytes of its own before anything waits in the process.
    for (let round = 0; streams.count() === 2; round++) {
      assert.ok(round < 1000, 'the slow reader was never cut off')
      const startedAt = performance.now()
      const id = tell(250)
      await until(`the fast reader gets ${id}`, () => fast.text().includes(`id: ${id}\n`))
      slowest = Math.max(slowest, performance.now() - startedAt)
      most = Math.max(most, waiting())
    }
    assert.ok(most <= 64 * 1024, `${most} bytes waited`)
    assert.ok(slowest < 2000, `the fast reader waited ${slowest} ms`)
    assert.equal(responses[0]?.destroyed, true)
    assert.equal(fast.isOver(), false)
    assert.doesNotMatch(fast.text(), /refresh/)
    slow.response.resume()
    await until('the slow reader sees its end', slow.isOver)
    const lastId = [...slow.text().matchAll(/^id: (.*)$/gm)].at(-1)?.[1]
    const again = await open(lastId)
    await until('the slow reader goes on', () => /^event: (?:change|refresh)$/m.test(again.text()))
    assert.equal(streams.count(), 2)
  })

  it('tell whoever missed more than may wait to load everything again, instead of cutting it off', async (context) => {
    const { streams, tell, open } = await openStreams(context)
    const first = await open()
    const early = tell(1)
    await until('the first change comes', () => first.text().includes(early))
    const late = tell(1500)
    await until('the rest comes', () => first.text().includes(late))
    assert.match(first.text(), /event: refresh\ndata: \{\}\nid: change-2\n/)
    assert.equal(first.isOver(), false)
    const second = await open(early)
    await until('it catches up', () => second.text().includes(`id: ${late}\n`))
    assert.match(second.text(), /event: refresh/)
    assert.ok(second.text().length < 1000, `${second.text().length} characters`)
    assert.equal(streams.count(), 2)
  })

  it('say every 20 seconds that they are open, and end after 15 to 22.5 minutes', async (context) => {
    context.mock.timers.enable({ apis: ['setInterval', 'Date'] })
    const { streams, open } = await openStreams(context)
    const reader = await open()
    const slow = await open()
    const beats = ({ text }: Reader) => text().match(/^:$/gm)?.length ?? 0
    for (let count = 1; count <= 3; count++) {
      context.mock.timers.tick(20_000)
      await until(`heartbeat ${count}`, () => beats(reader) === count && beats(slow) === count)
    }
    assert.match(reader.text(), /\n\n:\nid: [\w-]+\n\n$/)
    context.mock.timers.tick(13 * 60_000)
    await until('another heartbeat', () => beats(reader) > 3)
    assert.equal(streams.count(), 2)
    context.mock.timers.tick(10 * 60_000)
    await until('their end', () => reader.isOver() && slow.isOver())
    assert.equal(streams.count(), 0)
  })
})
