import { constants } from 'node:fs'
import { copyFile, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { toBlobPath } from '../blobs/blob-path.ts'
import { isMissing } from '../blobs/system-error.ts'
import type { Progress } from './progress.ts'

export interface BackupReport {
  blobCount: number
  /** Keys of blobs that were deleted after the database was copied and before the blobs were. */
  missing: string[]
}

/**
 * Copies the embedded database with SQLite's backup API, then the blobs that the copy names, while the server may go on
 * writing. The result is a data folder: the server can be started on it, or on a copy of it. A folder with an older
 * backup is updated; blobs that it already contains are not copied again.
 */
export async function backupDataFolder(dataDir: string, folder: string, progress: Progress): Promise<BackupReport> {
  await mkdir(join(folder, 'blobs'), { recursive: true, mode: 0o700 })
  await refuseOtherFolders(folder)
  const next = join(folder, 'fairlead.db.next')
  await rm(next, { force: true })
  {
    const source = new DatabaseSync(join(dataDir, 'fairlead.db'), { readOnly: true, timeout: 5000 })
    try {
      await backup(source, next, { rate: 1000 })
    } finally {
      source.close()
    }
  }
  removeUnfinishedUploads(next)
  const keys = readKeys(next)
  const report: BackupReport = { blobCount: 0, missing: [] }
  progress.begin('blobs', keys.length)
  for (const { key, size } of keys) {
    const isThere = await copyBlob(dataDir, folder, key, size)
    if (isThere) report.blobCount++
    else report.missing.push(key)
    progress.advance(1, size)
  }
  // The database is put in place last, so that until then the folder contains the previous backup.
  for (const suffix of ['-wal', '-shm']) await rm(next + suffix, { force: true })
  for (const suffix of ['-wal', '-shm']) await rm(join(folder, `fairlead.db${suffix}`), { force: true })
  await rename(next, join(folder, 'fairlead.db'))
  await syncFile(folder)
  await removeOthers(folder, new Set(keys.map(({ key }) => key)))
  return report
}

/** A backup must not overwrite a data folder that a server uses, or somebody's home. */
async function refuseOtherFolders(folder: string): Promise<void> {
  const other = (await readdir(folder)).find(
    (name) => !/^(blobs|fairlead\.db(\.next)?(-wal|-shm|-journal)?)$/.test(name),
  )
  if (other !== undefined) throw new Error(`${folder} holds ${other}, so it is no folder of backups`)
}

/** The bytes of unfinished uploads are not backed up, so their clients have to start again after a restore. */
function removeUnfinishedUploads(path: string): void {
  using database = new DatabaseSync(path)
  // `DatabaseSync` enforces foreign keys, so the parts of the uploads are deleted too.
  database.exec('delete from unfinished_uploads where build_id is null')
}

function readKeys(path: string): { key: string; size: number }[] {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const rows = database.prepare('select key, size from blobs order by key').all()
    return rows.map(({ key, size }) => ({ key: String(key), size: Number(size) }))
  } finally {
    database.close()
  }
}

/** Blobs never change, so a hard link is as good as a copy where both folders are on one disk. */
async function copyBlob(dataDir: string, folder: string, key: string, size: number): Promise<boolean> {
  const from = join(dataDir, 'blobs', toBlobPath(key))
  const to = join(folder, 'blobs', toBlobPath(key))
  if ((await stat(to).catch(() => undefined))?.size === size) return true
  await mkdir(join(to, '..'), { recursive: true })
  try {
    await rm(to, { force: true })
    await link(from, to).catch(async (error: unknown) => {
      if (isMissing(error)) throw error
      await copyFile(from, to, constants.COPYFILE_FICLONE)
      await syncFile(to)
    })
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

async function removeOthers(folder: string, keys: ReadonlySet<string>): Promise<void> {
  for (const entry of await readdir(join(folder, 'blobs'), { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && !keys.has(entry.name)) await rm(join(entry.parentPath, entry.name), { force: true })
  }
}

async function syncFile(path: string): Promise<void> {
  await using file = await open(path)
  await file.sync()
}
