import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'

/** A folder that belongs to this process alone; closing it deletes it. */
export interface ProcessFolder extends AsyncDisposable {
  path: string
}

/** How often a process updates the modification time of its folder to show that it still runs, in milliseconds. */
const heartbeatMs = 60_000
/** A folder whose time was not updated for this long was left by a process that has ended, in milliseconds. */
const staleMs = 60 * 60_000

/**
 * Creates a folder of this process in `parent` and deletes those that dead processes left there. Its name is random,
 * because processes in containers share ports, process ids and host names.
 *
 * @param isAlone whether no other process can use `parent`, so that every folder in it was left behind
 */
export async function openProcessFolder(parent: string, isAlone: boolean): Promise<ProcessFolder> {
  await mkdir(parent, { recursive: true })
  await deleteStale(parent, isAlone ? Infinity : Date.now() - staleMs)
  const path = join(parent, randomUUID())
  await mkdir(path)
  // A process that was suspended for long may find its folder deleted, and creates it again.
  const beat = () =>
    mkdir(path, { recursive: true })
      .then(() => utimes(path, new Date(), new Date()))
      .catch(() => {})
  const heartbeat = setInterval(() => void beat(), heartbeatMs).unref()
  return {
    path,
    async [Symbol.asyncDispose]() {
      clearInterval(heartbeat)
      await rm(path, { recursive: true, force: true })
    },
  }
}

async function deleteStale(parent: string, before: number): Promise<void> {
  for (const name of await readdir(parent)) {
    const path = join(parent, name)
    const found = await stat(path).catch(() => undefined)
    if (found && found.mtimeMs < before) await rm(path, { recursive: true, force: true })
  }
}
