/** Translates refusals of an object store to error codes like those of node:fs. */
export type StorageErrorCode = 'ENOENT' | 'ENOSPC' | 'STORAGE_UNAVAILABLE'

export class StorageError extends Error {
  override readonly name = 'StorageError'
  readonly code: StorageErrorCode

  constructor(code: StorageErrorCode, cause: unknown) {
    super(messages[code], { cause })
    this.code = code
  }
}

const messages: Record<StorageErrorCode, string> = {
  ENOENT: 'there is no such object in the object store',
  ENOSPC: 'the object store has no room left',
  STORAGE_UNAVAILABLE: 'the object store does not answer as it should',
}

const missingNames = new Set(['NoSuchKey', 'NotFound'])
const fullNames = new Set(['QuotaExceeded', 'XMinioStorageFull', 'InsufficientStorage'])

/** Turns what the AWS SDK throws into one of three errors; the original is kept as the cause. */
export function toStorageError(error: unknown): StorageError {
  if (error instanceof StorageError) return error
  const name = error instanceof Error ? error.name : ''
  if (missingNames.has(name)) return new StorageError('ENOENT', error)
  if (fullNames.has(name)) return new StorageError('ENOSPC', error)
  return new StorageError('STORAGE_UNAVAILABLE', error)
}
