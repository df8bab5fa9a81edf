const units = ['B', 'kB', 'MB', 'GB', 'TB']

/** Formats bytes in powers of ten: `84.2 MB`. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  return `${new Intl.NumberFormat('en', { maximumSignificantDigits: 3 }).format(value)} ${units[unit]}`
}

const calendarDay = { day: 'numeric', month: 'short' } as const
const clock = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const
const withYear = { ...calendarDay, year: 'numeric' } as const
const instant = new Intl.DateTimeFormat('en-GB', { ...withYear, ...clock })
const moment = new Intl.DateTimeFormat('en-GB', { ...withYear, ...clock, second: '2-digit' })
const utc = { timeZone: 'UTC' } as const
const dayOfYear = new Intl.DateTimeFormat('en-GB', calendarDay)
const day = new Intl.DateTimeFormat('en-GB', withYear)
const dayOfYearInUtc = new Intl.DateTimeFormat('en-GB', { ...calendarDay, ...utc })
const dayInUtc = new Intl.DateTimeFormat('en-GB', { ...withYear, ...utc })

/** Formats a time with its zone: `6 May 2026, 07:08 UTC`. */
export function formatInstant(date: string): string {
  return instant.format(new Date(date))
}

/** Formats a time to the second, for what follows on each other: `6 May 2026, 07:08:09 UTC`. */
export function formatMoment(date: string): string {
  return moment.format(new Date(date))
}

/**
 * Formats the day of an instant, or a day itself (`2026-11-20`), which is the same one in every zone: `16 Nov`, or
 * `16 Nov 2025` of another year.
 */
export function formatDay(date: string, now = Date.now()): string {
  const [then, today] = [new Date(date), new Date(now)]
  if (isoDay.test(date)) {
    return (then.getUTCFullYear() === today.getUTCFullYear() ? dayOfYearInUtc : dayInUtc).format(then)
  }
  return (then.getFullYear() === today.getFullYear() ? dayOfYear : day).format(then)
}

const isoDay = /^\d{4}-\d\d-\d\d$/

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const steps = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

const daysAgo = 7

/**
 * Formats a date relative to now: `3 hours ago`, `in 2 weeks`, `just now`. What is a week old or older is a date:
 * `16 Nov`, or `16 Nov 2025` of another year.
 */
export function formatRelative(date: string, now = Date.now()): string {
  const seconds = (Date.parse(date) - now) / 1000
  if (seconds <= -daysAgo * 86_400) return formatDay(date, now)
  const step = steps.find(([, length]) => Math.abs(seconds) >= length)
  return step ? relative.format(Math.trunc(seconds / step[1]), step[0]) : 'just now'
}

/** Formats a number with its noun: `1 tester`, `12 testers`. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${new Intl.NumberFormat('en').format(count)} ${count === 1 ? one : many}`
}
