import { execFileSync, fork, spawn } from 'node:child_process'
import { mkdtempSync, openSync, readSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createBirpc } from 'birpc'
import { createSyncFn } from 'synckit'
import { launch } from '@fairlead/channel/test'
import { openFifoPair } from '../src/node/fifo-pair.ts'
import { listen } from './bare-echo.ts'

/** Does a number of round trips and returns the microseconds per round trip. */
export type Contender = (rounds: number) => Promise<number> | number

export interface Contest {
  readonly contenders: Record<string, Contender>
  close(): Promise<void>
}

const peer = (name: string) => join(import.meta.dirname, name)

/** Creates an object whose JSON has about `size` bytes. */
export function createContent(size: number): unknown {
  const content = { id: 12_345, name: 'user number one', tags: ['a', 'b', 'c'], active: true, score: 0.25, text: '' }
  return { ...content, text: 'abcdefghij'.repeat(size / 10 + 1).slice(0, size - JSON.stringify(content).length) }
}

/** Calls `once` `rounds` times and returns the microseconds per call. */
export async function time(rounds: number, once: () => unknown): Promise<number> {
  const start = process.hrtime.bigint()
  for (let round = 0; round < rounds; round++) await once()
  return Number(process.hrtime.bigint() - start) / 1e3 / rounds
}

export function timeBlocking(rounds: number, once: () => unknown): number {
  const start = process.hrtime.bigint()
  for (let round = 0; round < rounds; round++) once()
  return Number(process.hrtime.bigint() - start) / 1e3 / rounds
}

/** Starts the channel over FIFOs and the programs it is compared with, for one size of content. */
export async function openContest(size: number, content = createContent(size)): Promise<Contest> {
  const floor = openPingPong(size)
  const bare = openBareNode(size)
  const app = await launch({ command: process.execPath, args: [peer('channel-app.ts')] })
  const { xpcService } = app
  const child = fork(peer('birpc-child.ts'))
  const rpc = createBirpc<{ echo(content: unknown): unknown }>(
    {},
    { post: (data: object) => child.send(data), on: (listener) => child.on('message', listener) },
  )
  const syncEcho = createSyncFn(peer('synckit-worker.ts')) as (content: unknown) => unknown
  const decoding = Object
  return {
    contenders: {
      'C ping-pong': floor.run,
      ...(size <= 16_000 && { 'bare Node': bare.run, 'blocking bare Node': bare.runBlocking }),
      sendAsync: (rounds) => time(rounds, () => xpcService.sendAsync('echo', content, { decoding })),
      send: (rounds) => timeBlocking(rounds, () => xpcService.send('echo', content, { decoding })),
      async post(rounds) {
        // A loop of posts is too short to time, so it makes ten times as many, as far as the queue's limit allows.
        const count = Math.min(10 * rounds, Math.floor(4e7 / size))
        const taken = timeBlocking(count, () => xpcService.post('note', content))
        await xpcService.sendAsync('echo')
        return taken
      },
      'birpc over fork': (rounds) => time(rounds, () => rpc.echo(content)),
      synckit: (rounds) => timeBlocking(rounds, () => syncEcho(content)),
    },
    async close() {
      floor.close()
      bare.close()
      child.kill()
      await app.close()
    },
  }
}

/** Compiles and starts the C program, which uses a socketpair, or pipes. */
export function openPingPong(size: number, kind: 'socketpair' | 'pipes' = 'socketpair') {
  const program = join(mkdtempSync(join(tmpdir(), 'bench-')), 'ping-pong')
  execFileSync('cc', ['-O2', '-o', program, peer('ping-pong.c')])
  const lines = openLines([program, kind])
  return { run: (rounds: number) => lines.ask(`${rounds} ${size}`), close: () => lines.close() }
}

/** Starts a program that answers each line with a number. */
export function openLines([program = '', ...args]: readonly string[]) {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    async ask(line: string): Promise<number> {
      child.stdin.write(`${line}\n`)
      return Number((await lines.next()).value)
    },
    close: () => void child.stdin.end(),
  }
}

/**
 * Starts the baseline of bare Node. Normally both sides use the event loop; blocking, this side reads synchronously.
 */
function openBareNode(size: number): { run: Contender; runBlocking: Contender; close(): void } {
  const pair = openFifoPair()
  const stdio = ['ignore', 'inherit', 'inherit', pair.appReads, pair.appWrites] as const
  const child = spawn(process.execPath, [peer('bare-echo.ts')], { stdio: [...stdio] })
  const content = Buffer.alloc(Math.min(size, 16_000))
  const buffer = Buffer.alloc(65_536)
  let missing = 0
  let resolve = () => {}
  const socket = listen(pair.testReads, buffer, (length) => {
    missing -= length
    if (missing === 0) resolve()
  })
  const trip = () =>
    new Promise<void>((done) => {
      resolve = done
      missing = content.length
      writeSync(pair.testWrites, content)
    })
  const blockingFd = openSync(`/proc/self/fd/${pair.testReads}`, 'r')
  const blockingTrip = () => {
    writeSync(pair.testWrites, content)
    for (let got = 0; got < content.length;) got += readSync(blockingFd, buffer)
  }
  return {
    run: (rounds) => time(rounds, trip),
    runBlocking: (rounds) => timeBlocking(rounds, blockingTrip),
    close() {
      socket.destroy()
      child.kill()
    },
  }
}
