import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { requirePort } from '../../scripts/free-port.ts'

/** A TCP proxy on this machine whose connections a test can break. */
export interface TcpProxy extends AsyncDisposable {
  port: number
  /** Forwards the next bytes that contain the text, and cuts that connection when the answer to them arrives. */
  loseAnswerTo(text: string): void
  /** Returns how many answers were lost so far. */
  lostAnswers(): number
  /** Forwards the next bytes that contain the text, and holds back every answer on that connection from then on. */
  holdAnswerTo(text: string): void
  /** Forwards the next bytes that contain the text, and of the answer to them only this many bytes. */
  stallAnswerTo(text: string, bytes: number): void
  /** Freezes and cuts every connection instead of forwarding the next bytes that contain the text. */
  freezeAt(text: string): void
  isFrozen(): boolean
  /** Tells whether an answer is being held back. */
  isHolding(): boolean
  /** While frozen, connections are accepted and stay open, but no byte passes. */
  freeze(): void
  thaw(): void
  /** Cuts every connection. */
  cut(): void
  /** Cuts every connection as soon as the clients have sent this many bytes in total. */
  cutAfter(bytes: number): void
  /** Returns how many bytes the clients have sent in total. */
  bytesFromClients(): number
}

interface Pair {
  client: Socket
  target: Socket
}

/** Starts a proxy on a free port, or on the one that is given. */
export async function startTcpProxy(targetPort: number, ownPort = 0): Promise<TcpProxy> {
  const pairs = new Set<Pair>()
  let awaited: { text: string; fate: 'cut' | 'hold' | 'freeze'; passed?: number } | undefined
  const holding = new Set<Pair>()
  let lost = 0
  let isFrozen = false
  let received = 0
  const cuts: number[] = []

  const server = createServer((client) => {
    const pair = { client, target: connect(targetPort, '127.0.0.1') }
    const { target } = pair
    pairs.add(pair)
    let fate: 'pass' | 'cut' | 'hold' = 'pass'
    /** How many bytes of a held answer pass. */
    let passed = 0
    client.on('data', (bytes) => {
      if (awaited && bytes.includes(awaited.text)) {
        const next = awaited.fate
        passed = awaited.passed ?? 0
        awaited = undefined
        if (next === 'freeze') {
          isFrozen = true
          pairs.forEach(end)
          return
        }
        fate = next
      }
      received += bytes.length
      if (!target.write(bytes)) client.pause()
      if (received < (cuts[0] ?? Infinity)) return
      cuts.shift()
      pairs.forEach(end)
    })
    target.on('drain', () => isFrozen || client.resume())
    target.on('data', (bytes: Buffer) => {
      if (fate === 'pass') client.write(bytes)
      else if (fate === 'hold') {
        if (passed > 0) client.write(bytes.subarray(0, passed))
        passed = Math.max(0, passed - bytes.length)
        holding.add(pair)
      } else {
        lost++
        end(pair)
      }
    })
    for (const socket of [client, target]) socket.on('error', () => end(pair)).on('close', () => end(pair))
    if (isFrozen) pause(pair)
  })
  const end = (pair: Pair) => {
    pairs.delete(pair)
    holding.delete(pair)
    pair.client.destroy()
    pair.target.destroy()
  }
  server.listen(ownPort, '127.0.0.1')
  await once(server, 'listening')
  const port = requirePort(server)

  return {
    port,
    loseAnswerTo(text) {
      awaited = { text, fate: 'cut' }
    },
    holdAnswerTo(text) {
      awaited = { text, fate: 'hold' }
    },
    stallAnswerTo(text, bytes) {
      awaited = { text, fate: 'hold', passed: bytes }
    },
    freezeAt(text) {
      awaited = { text, fate: 'freeze' }
    },
    isFrozen: () => isFrozen,
    isHolding: () => holding.size > 0,
    lostAnswers: () => lost,
    freeze() {
      isFrozen = true
      pairs.forEach(pause)
    },
    thaw() {
      isFrozen = false
      for (const { client, target } of pairs) {
        client.resume()
        target.resume()
      }
    },
    cut: () => pairs.forEach(end),
    cutAfter: (bytes) => void cuts.push(bytes),
    bytesFromClients: () => received,
    async [Symbol.asyncDispose]() {
      server.close()
      pairs.forEach(end)
      await once(server, 'close')
    },
  }
}

function pause({ client, target }: Pair): void {
  client.pause()
  target.pause()
}
