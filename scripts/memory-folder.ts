/**
 * A folder in memory for the temporary files of all tests. They make some 300 databases and as many data folders of
 * thousands of small files; on a disk that is shared, these take several times as much processor time, and most tests
 * wait for it. That a commit is on the disk is asserted by none of them: they kill processes, not the machine.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, globSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** The file system in memory that Linux provides. */
const mount = '/dev/shm'
/** Without our name, for which tests search the output of foreign programs. */
const prefix = 'tests-in-memory-'
/**
 * All tests together hold some hundred megabytes at a time. The S3 server's file of blocks also keeps what was deleted,
 * up to 8 GiB.
 */
const leastFreeBytes = 12 * 2 ** 30

export interface MemoryFolder extends Disposable {
  path: string
}

/**
 * Creates the folder, which `TMPDIR` may name. Returns undefined where there is too little memory, or where a file
 * system in memory runs no programs, as in containers by default.
 * @param parent where it is created, unless a test chooses another folder
 */
export function openMemoryFolder(parent = mount, leastFree = leastFreeBytes): MemoryFolder | undefined {
  if (!existsSync(parent)) return undefined
  removeLeftFolders(parent)
  const { bavail, bsize } = statfsSync(parent)
  if (Math.min(bavail * bsize, process.availableMemory()) < leastFree) return undefined
  const path = mkdtempSync(join(parent, `${prefix}${process.pid}-`))
  // As in any folder for temporary files, each user may create files, for example PostgreSQL's.
  chmodSync(path, 0o1777)
  const remove = () => rmSync(path, { recursive: true, force: true, maxRetries: 5 })
  if (runsPrograms(path)) return { path, [Symbol.dispose]: remove }
  remove()
  return undefined
}

function runsPrograms(folder: string): boolean {
  const program = join(folder, 'program')
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
  const { status } = spawnSync(program)
  rmSync(program)
  return status === 0
}

/** Removes the folders of runs that were killed, which would stay in memory. */
function removeLeftFolders(parent: string): void {
  for (const path of globSync(join(parent, `${prefix}*`))) {
    const pid = Number(basename(path).slice(prefix.length).split('-')[0])
    if (!isRunning(pid)) removeLeftFolder(path)
  }
}

/** A test that was killed may have left a file system mounted inside, which must not end every later run. */
function removeLeftFolder(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    console.error(`an earlier run left ${path}, which cannot be removed: ${reason}`)
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // A process of another user may not be sent a signal, but is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
