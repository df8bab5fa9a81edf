/**
 * Parses durations as reports write them: `2,120.532`, `0,16`, `1'234.5`, `80us`, `1e-3`. A number without a unit is in
 * seconds. If both a dot and a comma occur, the later one is the decimal sign. A single comma is decimal. A sign that
 * occurs twice or more separates thousands, as do blanks and apostrophes.
 */
const units: Record<string, number> = {
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ns: 1e-6,
  ms: 1,
  s: 1e3,
  m: 6e4,
  min: 6e4,
  h: 36e5,
}
const pattern = /^([+-]?)([\d.,]+)(?:e([+-]?\d{1,3}))?(ns|us|µs|μs|ms|s|min|m|h)?$/i
const grouping = /[\s'’_\u00a0\u202f\u2009]/g
const plainSeconds = /^\d{1,9}(?:\.\d{1,9})?$/
const longest = 64

/** Returns milliseconds; null if the duration is absent, negative, not finite or malformed. */
export function parseDuration(text: string | null | undefined): number | null {
  if (text === null || text === undefined || text === '') return null
  if (plainSeconds.test(text)) return roundToNanoseconds(Number(text) * 1000)
  if (text.length > longest || text.includes('_')) return null
  const [, sign = '', digits = '', exponent = '0', unit = 's'] = pattern.exec(text.replaceAll(grouping, '')) ?? []
  const number = toDecimal(digits)
  if (number === null) return null
  const value = Number(`${number}e${exponent}`) * (units[unit.toLowerCase()] ?? Number.NaN)
  if (!Number.isFinite(value) || (sign === '-' && value !== 0)) return null
  return roundToNanoseconds(value)
}

/** Converts seconds of a JSON or database value to milliseconds; null if it is not a duration. */
export function secondsToMs(seconds: unknown): number | null {
  return toMilliseconds(typeof seconds === 'number' ? seconds * 1000 : null)
}

/** Checks milliseconds of a JSON or database value; null if it is not a duration. */
export function toMilliseconds(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? roundToNanoseconds(value) : null
}

function roundToNanoseconds(ms: number): number {
  return ms < 1e9 ? Math.round(ms * 1e6) / 1e6 : ms
}

/** Removes grouping signs from digits and makes the decimal sign a dot; null if the result is not a number. */
function toDecimal(digits: string): string | null {
  const lastDot = digits.lastIndexOf('.')
  const lastComma = digits.lastIndexOf(',')
  const decimal = lastDot > lastComma ? '.' : ','
  const other = decimal === '.' ? ',' : '.'
  const parts = digits.split(decimal)
  const isOnlySign = !digits.includes(other)
  if (parts.length > 2 && !isOnlySign) return null
  const whole = (parts.length > 2 ? parts.join('') : (parts[0] ?? '')).replaceAll(other, '')
  const fraction = parts.length === 2 ? (parts[1] ?? '') : ''
  if (fraction.includes(other) || !/^\d*$/.test(whole + fraction) || whole + fraction === '') return null
  return `${whole === '' ? '0' : whole}.${fraction === '' ? '0' : fraction}`
}
