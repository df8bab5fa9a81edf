/** `SQLITE_FULL`. A write that fails in another place of a full disk is an extended code of `SQLITE_IOERR`. */
const sqliteFull = 13
const sqliteWriteErrors = new Set([
  // SQLITE_IOERR_WRITE, _FSYNC, _TRUNCATE, _SHMSIZE
  778, 1034, 1546, 4874,
])
/** PostgreSQL's `disk_full`. */
const postgresFull = '53100'
const systemCodes = new Set<unknown>(['ENOSPC', 'EDQUOT'])

/** Tells whether a write failed because the disk of the database or of the blobs is full. */
export function isOutOfSpace(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('code' in error && (error.code === postgresFull || systemCodes.has(error.code))) return true
  if (!('errcode' in error) || typeof error.errcode !== 'number') return false
  return error.errcode === sqliteFull || sqliteWriteErrors.has(error.errcode)
}

/** Ignores the failure of an unimportant write on a full disk; throws every other error. */
export function ignoreOutOfSpace(error: unknown): void {
  if (!isOutOfSpace(error)) throw error
}
