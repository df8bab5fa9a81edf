import { closeSync, constants, fstatSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { AppService } from '../app-service.ts'
import type { Greeting } from '../peer/greeting.ts'
import { Peer } from '../peer/peer.ts'
import { ambient } from './ambient.ts'
import { DescriptorLink } from './descriptor-link.ts'
import { takeAddress, type Address } from './environment.ts'
import { setHostImmediate } from './immediate.ts'

/** When the app ends, it waits at most this many milliseconds for its posts to be read. */
const exitWaitMs = 5000

interface Descriptors {
  read: number
  write: number
}

/** Returns the app's service if the environment says that a test is running, otherwise undefined. */
export function openAppChannel(env: NodeJS.ProcessEnv): AppService | undefined {
  const address = takeAddress(env)
  if (!address) return undefined
  const descriptors = address.kind === 'folder' ? claimFolder(address.path) : requirePipes(address)
  return descriptors && openService(descriptors, address)
}

function openService(descriptors: Descriptors, address: Address): AppService {
  let whenTestEnds: unknown
  const peer = new Peer(
    {
      onHello: (greeting) => {
        whenTestEnds = greeting['whenTestEnds']
      },
      onBye: () => peer.lose('connectionLost', 'the test ended the connection'),
      onLost: (error) => {
        if (error.code === 'protocol') process.emitWarning(error)
        // Exits in a task of its own, so that code waiting for an answer gets its error first.
        if (whenTestEnds === 'exit') setHostImmediate(() => process.exit())
      },
    },
    ambient,
  )
  const service = new AppService(peer, (becomeReady) => setHostImmediate(becomeReady))
  const link = new DescriptorLink(descriptors.read, descriptors.write, peer, {
    onEnd: ({ isIncomplete }) => {
      if (isIncomplete) peer.lose('protocol', 'the stream ended in the middle of a frame')
      else peer.lose('connectionLost', 'the test process is gone')
    },
  })
  const greeting: Greeting = { pid: process.pid, runtime: `node ${process.versions.node}`, texts: true }
  peer.open(link, address.kind === 'folder' ? { ...greeting, token: address.token } : greeting)
  process.once('exit', () => link.drainNow(exitWaitMs))
  return service
}

/**
 * A launcher in between may have closed the descriptors instead of passing them on, so the numbers may now refer to
 * other files.
 */
function requirePipes(descriptors: Descriptors): Descriptors | undefined {
  try {
    if (fstatSync(descriptors.read).isFIFO() && fstatSync(descriptors.write).isFIFO()) return descriptors
  } catch {
    // The descriptors are not open.
  }
  process.emitWarning('the app runs under test but did not inherit its pipes; launch it through openSession()')
  return undefined
}

/**
 * Opens the FIFOs in the folder that another tool's child was given. The first app to rename the folder entry claims
 * it; any later app has nothing to connect to.
 */
function claimFolder(path: string): Descriptors | undefined {
  const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants
  try {
    const { uid, mode } = statSync(path)
    if (uid !== process.getuid?.() || (mode & 0o077) !== 0) return undefined
    const claimed = join(path, 'claimed')
    renameSync(join(path, 'to-app'), claimed)
    const read = openSync(claimed, O_RDONLY | O_NONBLOCK)
    try {
      return { read, write: openSync(join(path, 'to-test'), O_WRONLY | O_NONBLOCK) }
    } catch (error) {
      closeSync(read)
      throw error
    } finally {
      rmSync(path, { recursive: true, force: true })
    }
  } catch {
    // The test has ended, or another process of the same launch claimed the folder first.
    return undefined
  }
}
