/**
 * Measures 1,000 open streams of events: the memory of the server for each of them, and the delay from a request that
 * changes something until each stream has its event. A bare `node:http` server with as many streams takes turns.
 */
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { call, token } from './call.ts'
import { printTable } from './measure.ts'
import { readProportionalSize } from './process-tree.ts'
import { openTemporaryFolder, type RunningServer, startFairlead, startPinned } from './processes.ts'
import { findFreePort } from '../scripts/free-port.ts'

const streamCount = 1000
/** The most streams of one token. */
const perToken = 50
const rounds = 40

/** The streams of a server, and a request to it that causes one event in each. */
interface Contestant {
  change: (round: number) => Promise<void>
  bytesPerStream: number
  delays: number[]
  streams: Stream[]
}

interface Stream {
  socket: Socket
  /** Called with the time at which an event came. */
  onEvent: (at: number) => void
}

// Half of the connections may be streams, and three quarters of those of one workspace.
process.env['FAIRLEAD_MAX_CONNECTIONS'] = '3000'
await using folder = await openTemporaryFolder()
await using fairlead = await startFairlead(join(folder.path, 'data'), token)
const { id } = await call<{ id: number }>(fairlead.url, 'POST', '/v1/applications', {
  name: 'Bench',
  alias: 'bench',
  platform: 'android',
})
const tokens: string[] = []
for (let index = 0; index < streamCount / perToken; index++) {
  const body = { name: `Streams ${index}`, role: 'viewer' }
  tokens.push((await call<{ token: string }>(fairlead.url, 'POST', '/v1/apiTokens', body)).token)
}
const port = await findFreePort()
const program = join(import.meta.dirname, 'bare-streams.ts')
await using bare = await startPinned(`http://127.0.0.1:${port}`, [process.execPath, program, String(port)])

const own = await open(fairlead, tokens, async (round) => {
  await call(fairlead.url, 'PATCH', `/v1/applications/${id}`, { name: `Bench ${round}` })
})
const peer = await open(bare, [token], async () => {
  await call(bare.url, 'POST', '/')
})
for (let round = 0; round < rounds; round++) for (const one of [own, peer]) await measureDelays(one, round)
for (const one of [own, peer]) for (const { socket } of one.streams) socket.destroy()

const ms = (value: number) => `${value.toFixed(0)} ms`
const at = ({ delays }: Contestant, part: number) => {
  const sorted = delays.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length * part)] ?? NaN
}
const kib = ({ bytesPerStream }: Contestant) => `${(bytesPerStream / 1024).toFixed(1)} KiB`
const compare = (work: string, format: (one: Contestant) => string) => [work, format(own), format(peer)]
printTable(
  [`${streamCount} streams`, 'Fairlead', 'node:http'],
  [
    compare('memory for each stream', kib),
    compare('delay from a change to its event, median', (one) => ms(at(one, 0.5))),
    compare('the same, p99', (one) => ms(at(one, 0.99))),
    compare('the same, longest', (one) => ms(at(one, 1 - 1e-9))),
  ],
)

/** Opens the streams, and measures what memory they take when the server has come to rest. */
async function open(server: RunningServer, callers: string[], change: Contestant['change']): Promise<Contestant> {
  // The first requests compile code, which is no cost of a stream.
  const warm = await Promise.all(callers.map((caller) => openStream(server.url, caller)))
  for (const { socket } of warm) socket.destroy()
  for (let round = 0; round < 20; round++) await change(-1 - round)
  await setTimeout(3000)
  const before = readProportionalSize(server.pid)
  const streams: Stream[] = []
  while (streams.length < streamCount) {
    const batch = callers.map((caller) => openStream(server.url, caller))
    streams.push(...(await Promise.all(batch)))
  }
  await setTimeout(3000)
  const bytesPerStream = (readProportionalSize(server.pid) - before) / streams.length
  return { change, bytesPerStream, delays: [], streams }
}

/** Opens a stream on a socket of its own, and waits for its first bytes. */
async function openStream(url: string, caller: string): Promise<Stream> {
  const { hostname, port, host } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.write(`GET /v1/events HTTP/1.1\r\nHost: ${host}\r\nX-Service-Token: ${caller}\r\n\r\n`)
  const stream: Stream = { socket, onEvent: () => {} }
  await new Promise<void>((resolve, reject) => {
    socket.once('close', () => reject(new Error(`the stream of ${url} was closed`)))
    socket.on('data', (chunk: Buffer) => {
      const at = performance.now()
      const text = chunk.toString('latin1')
      if (text.startsWith('HTTP/1.1') && !text.startsWith('HTTP/1.1 200')) reject(new Error(text))
      resolve()
      if (text.includes('event: change')) stream.onEvent(at)
    })
  })
  return stream
}

/** Changes something once, and waits until every stream has said so. */
async function measureDelays({ change, streams, delays }: Contestant, round: number): Promise<void> {
  const startedAt = performance.now()
  const events = streams.map(
    (stream) =>
      new Promise<void>((resolve) => {
        stream.onEvent = (at) => {
          delays.push(at - startedAt)
          resolve()
        }
      }),
  )
  await Promise.all([change(round), ...events])
}
