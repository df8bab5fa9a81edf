/** Formats a time as ISO 8601 in UTC with milliseconds, the format of every `…Date` field in the API. */
export function toInstant(epochMs: number): string {
  return new Date(epochMs).toISOString()
}

/** Formats a time that may be null. */
export function toInstantOrNull(epochMs: number | null): string | null {
  return epochMs === null ? null : toInstant(epochMs)
}
