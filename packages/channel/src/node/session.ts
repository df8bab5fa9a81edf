import { randomBytes, timingSafeEqual } from 'node:crypto'
import { closeSync, constants, openSync } from 'node:fs'
import { platform } from 'node:process'
import { setTimer } from '../host-clock.ts'
import type { Greeting } from '../peer/greeting.ts'
import type { XPCService } from '../xpc-service.ts'
import { findZombieExit, type Exit } from './app-process.ts'
import { connectApp } from './connect-app.ts'
import { tokenSize, variable, writeAddress } from './environment.ts'
import { createFifoFolder } from './fifo-pair.ts'
import { TestedApp } from './tested-app.ts'

export interface ConnectOptions {
  /** Milliseconds within which the app must load the channel; default 30,000. */
  readonly timeout?: number | undefined
  /** Whether the app exits when its test is gone; default `continue`, because its launcher ends it. */
  readonly whenTestEnds?: 'exit' | 'continue' | undefined
  /** The path of a new file to which all messages are written as JSON lines, to be attached to a test report. */
  readonly transcript?: string | undefined
  /** Registers handlers before the app runs, for messages that it sends during its launch. */
  readonly register?: ((xpcService: XPCService) => void) | undefined
}

/** A rendezvous at which one app, launched by another tool with `env`, finds this test. */
export interface Session {
  /** Variables to add to the environment of the app. */
  readonly env: Readonly<Record<string, string>>
  /**
   * Resolves when the app has connected. It must be called only once.
   *
   * @throws XPCError `timeout`, `connectionLost` or `protocol`.
   */
  connect(options?: ConnectOptions): Promise<TestedApp>
  [Symbol.dispose](): void
}

const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants

/**
 * Creates a pair of FIFOs in a folder that only this user can enter. The first app with the folder's path claims it,
 * and the folder is removed. The token in the app's HELLO proves that it is the intended app.
 */
export function openSession(): Session {
  const folder = createFifoFolder()
  const token = randomBytes(tokenSize).toString('hex')
  // Until the app connects, this process holds the app's ends too, because a FIFO without them reads as ended.
  const appReads = openSync(folder.toApp, O_RDONLY | O_NONBLOCK)
  const write = openSync(folder.toApp, O_WRONLY | O_NONBLOCK)
  const read = openSync(folder.toTest, O_RDONLY | O_NONBLOCK)
  const appWrites = openSync(folder.toTest, O_WRONLY | O_NONBLOCK)
  const held = [appReads, appWrites]
  let isOpen = false
  const release = () => {
    for (const fd of held.splice(0)) closeSync(fd)
    folder.remove()
  }
  return {
    env: { [variable]: writeAddress({ kind: 'folder', path: folder.path, token }) },
    async connect(options = {}) {
      isOpen = true
      const app = watchForeignApp()
      try {
        const { peer, xpcService } = await connectApp({
          descriptors: { read, write },
          greeting: { pid: process.pid, whenTestEnds: options.whenTestEnds ?? 'continue' },
          timeoutMs: options.timeout ?? 30_000,
          register: options.register,
          transcript: options.transcript,
          pid: () => app.pid,
          findExit: () => findZombieExit(app.pid),
          exited: app.exited,
          check: (greeting) => {
            release()
            requireToken(greeting, token)
            app.setPid(Number(greeting['pid']))
          },
          onLost: () => app.setGone(),
        })
        const end = () => peer.close()
        return new TestedApp(xpcService, { pid: app.pid, exited: app.exited, end, kill: end })
      } finally {
        release()
      }
    },
    [Symbol.dispose]() {
      release()
      if (isOpen) return
      isOpen = true
      closeSync(read)
      closeSync(write)
    },
  }
}

function requireToken(greeting: Greeting, token: string): void {
  const shown = greeting['token']
  const isRight =
    typeof shown === 'string' &&
    shown.length === token.length &&
    timingSafeEqual(Buffer.from(shown), Buffer.from(token))
  if (!isRight) throw new Error('its HELLO does not have the token of this session')
}

/** Watches an app whose parent is another tool. Its end is known only from the end of its connection. */
function watchForeignApp() {
  const { promise: exited, resolve } = Promise.withResolvers<Exit>()
  return {
    pid: 0,
    exited,
    setPid(pid: number) {
      this.pid = pid
    },
    setGone() {
      const exit = platform === 'linux' ? findZombieExit(this.pid) : undefined
      setTimer(() => resolve(exit ?? { code: null, signal: null }), 0)
    },
  }
}
