import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** An exclusive lock on the data folder. The operating system releases it when the process ends, even after a crash. */
export interface FolderLock {
  release(): void
}

/** Another process holds the lock of the data folder. The message is a sentence for people. */
class FolderTakenError extends Error {
  override readonly name = 'FolderTakenError'
}

/**
 * Locks the data folder for this process.
 *
 * @throws {FolderTakenError} when another process holds the lock
 */
export function lockFolder(dataDir: string): FolderLock {
  const path = join(dataDir, 'fairlead.lock')
  const database = new DatabaseSync(path)
  try {
    // SQLite's file lock works on every operating system and never goes stale, unlike a file with a process id in it.
    database.exec('pragma locking_mode = exclusive; begin exclusive')
  } catch (error) {
    database.close()
    throw new FolderTakenError(
      `Another Fairlead process uses the data folder ${dataDir}. The embedded database serves one process; ` +
        'for several, set FAIRLEAD_DATABASE_URL to a PostgreSQL server.',
      { cause: error },
    )
  }
  return { release: () => database.close() }
}
