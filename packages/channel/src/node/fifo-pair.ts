import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { platform } from 'node:process'
import { XPCError } from '../xpc-error.ts'

const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants

export interface FifoFolder {
  readonly path: string
  readonly toApp: string
  readonly toTest: string
  remove(): void
}

/** Creates two FIFOs with mode 0600 in a folder with mode 0700, so that only this user can open them. */
export function createFifoFolder(): FifoFolder {
  if (platform === 'win32') throw new XPCError('unsupported', { detail: 'Windows has no FIFOs' })
  const path = mkdtempSync(join(tmpdir(), 'fairlead-'))
  const toApp = join(path, 'to-app')
  const toTest = join(path, 'to-test')
  const remove = () => rmSync(path, { recursive: true, force: true })
  try {
    execFileSync('mkfifo', ['-m', '600', toApp, toTest])
  } catch (error) {
    remove()
    throw error
  }
  return { path, toApp, toTest, remove }
}

export interface FifoPair {
  /** This process's ends, which are non-blocking. */
  readonly testReads: number
  readonly testWrites: number
  /** The app's ends, to be inherited. They block, as a program in any language expects. */
  readonly appReads: number
  readonly appWrites: number
}

/** Opens a pair of FIFOs and removes their names. */
export function openFifoPair(): FifoPair {
  const folder = createFifoFolder()
  const open: number[] = []
  const openEnd = (path: string, flags: number) => {
    const fd = openSync(path, flags)
    open.push(fd)
    return fd
  }
  try {
    // A non-blocking writer can be opened only if there is a reader, and a reader opens without waiting only if there
    // is a writer.
    const opener = openEnd(folder.toApp, O_RDONLY | O_NONBLOCK)
    const testWrites = openEnd(folder.toApp, O_WRONLY | O_NONBLOCK)
    const appReads = openEnd(folder.toApp, O_RDONLY)
    const testReads = openEnd(folder.toTest, O_RDONLY | O_NONBLOCK)
    const appWrites = openEnd(folder.toTest, O_WRONLY)
    closeSync(opener)
    return { testReads, testWrites, appReads, appWrites }
  } catch (error) {
    for (const fd of open) closeSync(fd)
    throw error
  } finally {
    folder.remove()
  }
}
