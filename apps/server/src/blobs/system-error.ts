/** Tells whether the error is "no such file". */
export function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT')
}

/** Tells whether the error is "disk full" or "quota exceeded". */
export function isDiskFull(error: unknown): boolean {
  return hasCode(error, 'ENOSPC') || hasCode(error, 'EDQUOT')
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
