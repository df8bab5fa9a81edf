const dayMs = 24 * 60 * 60 * 1000
const oldestMs = 30 * dayMs

/**
 * The time of an event by our clock. The difference between sending and arrival corrects the device's clock; what is
 * older than 30 days or in the future then, or not known, counts on arrival.
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
