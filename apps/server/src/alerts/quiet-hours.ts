import type { QuietHours } from '@fairlead/contract'

/** Says whether a text is a zone of the time zone database. An offset is none, because it has no daylight saving. */
export function isTimeZone(text: string): boolean {
  if (/^[+-]/.test(text)) return false
  try {
    Temporal.Now.zonedDateTimeISO(text)
    return true
  } catch {
    return false
  }
}

/**
 * Returns the end of the quiet hours that a time is in, in epoch milliseconds, or undefined outside of them. The hours
 * are those of the wall clock there: a time that a change of the clock skips is the one after it.
 */
export function findQuietEnd({ from, to, timeZone }: QuietHours, time: number): number | undefined {
  const local = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(timeZone)
  const clock = local.toPlainTime()
  const [start, end] = [Temporal.PlainTime.from(from), Temporal.PlainTime.from(to)]
  const isAfter = (one: Temporal.PlainTime) => Temporal.PlainTime.compare(clock, one) >= 0
  const isOverNight = Temporal.PlainTime.compare(start, end) > 0
  const isQuiet = isOverNight ? isAfter(start) || !isAfter(end) : isAfter(start) && !isAfter(end)
  if (!isQuiet) return undefined
  const day = isOverNight && isAfter(start) ? local.toPlainDate().add({ days: 1 }) : local.toPlainDate()
  return day.toZonedDateTime({ timeZone, plainTime: end }).epochMilliseconds
}
