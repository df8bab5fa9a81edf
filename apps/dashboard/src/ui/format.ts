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

const instant = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' })

export function formatInstant(date: string): string {
  return instant.format(new Date(date))
}

export function formatDay(date: string): string {
  return day.format(new Date(date))
}

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const steps = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** Formats a date relative to now: `3 hours ago`, `in 2 weeks`, `just now`. */
export function formatRelative(date: string, now = Date.now()): string {
  const seconds = (new Date(date).getTime() - now) / 1000
  const step = steps.find(([, length]) => Math.abs(seconds) >= length)
  return step ? relative.format(Math.trunc(seconds / step[1]), step[0]) : 'just now'
}

/** Formats a number with its noun: `1 tester`, `12 testers`. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${new Intl.NumberFormat('en').format(count)} ${count === 1 ? one : many}`
}
