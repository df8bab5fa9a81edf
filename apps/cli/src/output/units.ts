const units = ['B', 'kB', 'MB', 'GB', 'TB']

/** Bytes in decimal units, as file managers and stores show them: `12.3 MB`. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  return `${unit === 0 || value >= 99.95 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`
}

/** A difference of bytes with its sign: `+1.2 MB`. */
export function formatBytesChange(bytes: number): string {
  return bytes === 0 ? '±0' : `${bytes > 0 ? '+' : '−'}${formatBytes(Math.abs(bytes))}`
}

/** Seconds for people: `8 s`, `2 min 5 s`. */
export function formatSeconds(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}

/** An instant of the API in the reader's time zone, to the minute; `2026-11-21 10:30`. */
export function formatInstant(instant: string): string {
  const date = new Date(instant)
  const pad = (part: number) => String(part).padStart(2, '0')
  const day = [date.getFullYear(), pad(date.getMonth() + 1), pad(date.getDate())].join('-')
  return `${day} ${pad(date.getHours())}:${pad(date.getMinutes())}`
}
