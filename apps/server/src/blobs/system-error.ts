/** Whether the system said that a file is not there. */
export function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT')
}

/** Whether the system said that the disk, or the share of it one may use, is full. */
export function isDiskFull(error: unknown): boolean {
  return hasCode(error, 'ENOSPC') || hasCode(error, 'EDQUOT')
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
