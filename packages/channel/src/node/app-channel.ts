import { closeSync, constants, fstatSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { AppService } from '../app-service.ts'
import { Peer, type Greeting } from '../peer/peer.ts'
import { ambient } from './ambient.ts'
import { DescriptorLink } from './descriptor-link.ts'
import { takeAddress, type Address } from './environment.ts'
import { setHostImmediate } from './immediate.ts'

/** At its end the app hands over what it has posted, for as long as this many milliseconds. */
const exitPatience = 5000

interface Descriptors {
  read: number
  write: number
}

/** The app's service, when the environment says that a test is there; otherwise undefined. */
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
      onBye: () => peer.lose('connectionLost', 'the test has ended it'),
      onLost: (error) => {
        if (error.code === 'protocol') process.emitWarning(error)
        // In its own task: whoever waits for an answer is told first.
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
  process.once('exit', () => link.drainNow(exitPatience))
  return service
}

/** A launcher in between may have closed what its child was to inherit; the numbers may then be anything else. */
function requirePipes(descriptors: Descriptors): Descriptors | undefined {
  try {
    if (fstatSync(descriptors.read).isFIFO() && fstatSync(descriptors.write).isFIFO()) return descriptors
  } catch {
    // Not open at all.
  }
  process.emitWarning('the app runs under test, but did not inherit its pipes: launch it through openSession()')
  return undefined
}

/**
 * Opens the FIFOs of a folder that another tool's child was told of. The first app to rename its folder entry has
 * it; for any other there is nothing to connect to, and nothing to be told.
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
    // The test is gone, or another process of the same launch was first.
    return undefined
  }
}
