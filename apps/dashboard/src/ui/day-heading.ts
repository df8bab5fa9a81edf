const wholeDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' })

/** Names the day of an instant where the reader is: `Today`, `Yesterday` or `24 November 2026`. */
export function toDayHeading(date: string, now = Date.now()): string {
  const day = wholeDay.format(new Date(date))
  const today = new Date(now)
  if (day === wholeDay.format(today)) return 'Today'
  const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1)
  return day === wholeDay.format(yesterday) ? 'Yesterday' : day
}
