/** Tells whether a write referred to a row that does not exist, on SQLite or PostgreSQL. */
export function isForeignKeyViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('code' in error && error.code === '23503') return true
  return 'errcode' in error && error.errcode === 787
}
