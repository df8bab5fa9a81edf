const dayMs = 24 * 60 * 60 * 1000
const oldestMs = 30 * dayMs

/**
 * Returns the time of an event by the server's clock. The difference between sending and arrival corrects the device's
 * clock. An event whose time is then older than 30 days, in the future or unknown gets the time of its arrival.
 */
export function correctTime(
  occurredAt: number | null,
  { sentAt, receivedAt }: { sentAt: number | null; receivedAt: number },
): number {
  if (occurredAt === null) return receivedAt
  const corrected = sentAt === null ? occurredAt : occurredAt + (receivedAt - sentAt)
  return corrected > receivedAt || corrected < receivedAt - oldestMs ? receivedAt : corrected
}

/** Days since 1970 in UTC. */
export function toDay(time: number): number {
  return Math.floor(time / dayMs)
}

export function toDate(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}
