/** Tells whether a write violated a unique index, on SQLite or PostgreSQL. */
export function isUniqueViolation(error: unknown): boolean {
  return violates(error, '23505', [2067, 1555])
}

/** Tells whether a write referred to a row that does not exist, on SQLite or PostgreSQL. */
export function isForeignKeyViolation(error: unknown): boolean {
  return violates(error, '23503', [787])
}

function violates(error: unknown, sqlState: string, sqliteCodes: unknown[]): boolean {
  if (!(error instanceof Error)) return false
  if ('code' in error && error.code === sqlState) return true
  return 'errcode' in error && sqliteCodes.includes(error.errcode)
}
