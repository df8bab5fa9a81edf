import { closeSync } from 'node:fs'
import { clearTimer, now, setTimer } from '../host-clock.ts'
import type { Greeting } from '../peer/greeting.ts'
import { Peer } from '../peer/peer.ts'
import { XPCError } from '../xpc-error.ts'
import { XPCService } from '../xpc-service.ts'
import { ambient } from './ambient.ts'
import { describeExit, type Exit } from './app-process.ts'
import { DescriptorLink } from './descriptor-link.ts'
import { Pause } from './pause.ts'
import { ReadGuard } from './read-guard.ts'
import { setHostImmediate } from './immediate.ts'
import { Transcript } from './transcript.ts'

/** After the end of the stream, wait at most this many milliseconds to learn how the app ended. */
const exitWaitMs = 80

/** All apps of this process share one guard, because only one of them can block the process at a time. */
const readGuard = new ReadGuard()

export interface Connection {
  readonly descriptors: { readonly read: number; readonly write: number }
  readonly greeting: Greeting
  readonly timeoutMs: number
  readonly register?: ((xpcService: XPCService) => void) | undefined
  readonly pid: () => number | undefined
  /** Finds how the app ended, even while this process is blocked. */
  readonly findExit: () => Exit | undefined
  readonly exited: Promise<Exit>
  readonly onLost?: (() => void) | undefined
  /** The path of the file to which all messages are written. */
  readonly transcript?: string | undefined
  /** Throws if the app's HELLO is not acceptable. */
  readonly check?: ((greeting: Greeting) => void) | undefined
}

/**
 * Opens the test's end over descriptors and waits for the app's HELLO.
 *
 * @throws XPCError `timeout`, `connectionLost` or `protocol`.
 */
export async function connectApp(connection: Connection): Promise<{ peer: Peer; xpcService: XPCService }> {
  const { promise: greeted, resolve, reject } = Promise.withResolvers<void>()
  const transcript = openTranscript(connection)
  const peer = new Peer(
    {
      onHello: (greeting) => {
        try {
          connection.check?.(greeting)
          resolve()
        } catch (error) {
          peer.lose('protocol', error instanceof Error ? error.message : String(error))
        }
      },
      onLost: (error) => {
        transcript?.end(error.message)
        connection.onLost?.()
        reject(error)
      },
    },
    ambient,
  )
  const xpcService = new XPCService(peer)
  connection.register?.(xpcService)
  const { read, write } = connection.descriptors
  const link = new DescriptorLink(read, write, transcript?.watchReceived(peer) ?? peer, {
    findGone: connection.findExit,
    guard: readGuard,
    onEnd: (end) => tellEnd(connection, peer, end),
  })
  connection.exited.then(
    () => link.endWhenQuiet(exitWaitMs),
    (error: Error) => peer.lose('connectionLost', error.message),
  )
  peer.open(transcript?.watchSent(link) ?? link, { ...connection.greeting, texts: true })
  const timer = setTimer(() => {
    const detail = `${connection.timeoutMs} ms: the app has not loaded @fairlead/channel/app`
    reject(new XPCError('timeout', { detail }))
    peer.lose('connectionLost', 'the app did not connect')
  }, connection.timeoutMs)
  try {
    await greeted
  } finally {
    clearTimer(timer)
  }
  // Handlers that the caller registers right after `await launch()` are there before any message is handled.
  setHostImmediate(() => peer.becomeReady())
  return { peer, xpcService }
}

/** A file that cannot be created ends the connection before it begins. */
function openTranscript({ transcript, descriptors }: Connection): Transcript | undefined {
  if (transcript === undefined) return undefined
  try {
    return new Transcript(transcript)
  } catch (error) {
    closeSync(descriptors.read)
    closeSync(descriptors.write)
    throw error
  }
}

/** Reports the end of the stream together with how the app ended, as soon as that is known. */
function tellEnd(connection: Connection, peer: Peer, end: { isBlocked: boolean; isIncomplete: boolean }): void {
  const tell = (exit: Exit | undefined) => {
    const isBroken = end.isIncomplete && !exit?.signal
    if (isBroken) peer.lose('protocol', 'the stream ended in the middle of a frame')
    else peer.lose('connectionLost', describeExit(connection.pid(), exit))
  }
  if (end.isBlocked) return tell(waitForExit(connection.findExit))
  const patience = setTimer(() => tell(connection.findExit()), exitWaitMs)
  connection.exited.then(
    (exit) => {
      clearTimer(patience)
      tell(exit)
    },
    () => {},
  )
}

/** A process closes its pipes a moment before its exit becomes visible. */
function waitForExit(findExit: () => Exit | undefined): Exit | undefined {
  const deadline = now() + exitWaitMs
  const pause = new Pause()
  for (;;) {
    const exit = findExit()
    if (exit || now() >= deadline) return exit
    pause.wait(deadline)
  }
}
