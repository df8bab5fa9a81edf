const axisDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** Formats a day in UTC for an axis: `14 Nov`. */
export function formatAxisDay(date: string): string {
  return axisDay.format(new Date(date))
}
