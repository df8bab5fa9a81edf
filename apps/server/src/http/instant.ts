/** ISO 8601 in UTC with milliseconds, as every `…Date` of the API. */
export function toInstant(epochMs: number): string {
  return new Date(epochMs).toISOString()
}

/** The same, where the time may be unknown. */
export function toInstantOrNull(epochMs: number | null): string | null {
  return epochMs === null ? null : toInstant(epochMs)
}
