import { randomBytes, timingSafeEqual } from 'node:crypto'
import { closeSync, constants, openSync } from 'node:fs'
import { platform } from 'node:process'
import { setTimer } from '../host-clock.ts'
import type { Greeting } from '../peer/peer.ts'
import type { XPCService } from '../xpc-service.ts'
import { findZombieExit, type Exit } from './app-process.ts'
import { connectApp } from './connect-app.ts'
import { tokenSize, variable, writeAddress } from './environment.ts'
import { createFifoFolder } from './fifo-pair.ts'
import { TestedApp } from './tested-app.ts'

export interface ConnectOptions {
  /** Milliseconds within which the app must have loaded the channel; 30,000 unless given. */
  readonly timeout?: number | undefined
  /** What the app does when its test is gone; it goes on unless told to exit, for its launcher ends it. */
  readonly whenTestEnds?: 'exit' | 'continue' | undefined
  /** Registers handlers before the app runs, for what it sends while it launches. */
  readonly register?: ((xpcService: XPCService) => void) | undefined
}

/** A place where one app, launched by another tool with `env`, will find this test. */
export interface Session {
  /** To be added to the environment of the app. */
  readonly env: Readonly<Record<string, string>>
  /** Resolves when the app has connected. Throws XPCError `timeout`, `protocol`. To be called once. */
  connect(options?: ConnectOptions): Promise<TestedApp>
  [Symbol.dispose](): void
}

const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants

/**
 * Makes a pair of FIFOs in a folder that only this user may enter. The first app that has the folder's path takes
 * it, and it is gone; the token in the app's HELLO says that it is the one that was meant.
 */
export function openSession(): Session {
  const folder = createFifoFolder()
  const token = randomBytes(tokenSize).toString('hex')
  // Until the app has come, this process holds the app's ends too: a FIFO without them reads as ended.
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
          timeout: options.timeout ?? 30_000,
          register: options.register,
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
  if (!isRight) throw new Error('its HELLO does not show the token of this session')
}

/** Another tool is the parent of this app: what can be known of its end is that its connection has. */
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
