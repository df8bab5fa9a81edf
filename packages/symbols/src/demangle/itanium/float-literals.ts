/**
 * Floating-point template arguments, printed as C's `%a` does: a hexadecimal significand without trailing zeros and
 * a binary exponent. `float` (f) is 32 bits, `double` (d) 64, `long double` (e) the 80 bits of x87.
 */
export function formatFloat(digits: string, letter: 'f' | 'd' | 'e'): string {
  if (letter === 'e') return formatExtended(BigInt(`0x${digits}`))
  const view = new DataView(new ArrayBuffer(8))
  if (letter === 'f') view.setUint32(0, Number.parseInt(digits, 16))
  else view.setBigUint64(0, BigInt(`0x${digits}`))
  const value = letter === 'f' ? view.getFloat32(0) : view.getFloat64(0)
  return formatDouble(value) + (letter === 'f' ? 'f' : '')
}

function formatDouble(value: number): string {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  const bits = view.getBigUint64(0)
  const sign = bits >> 63n === 1n ? '-' : ''
  const biased = Number((bits >> 52n) & 0x7ffn)
  const fraction = bits & 0xf_ffff_ffff_ffffn
  if (biased === 0x7ff) return sign + (fraction === 0n ? 'inf' : 'nan')
  if (biased === 0 && fraction === 0n) return `${sign}0x0p+0`
  const exponent = biased === 0 ? -1022 : biased - 1023
  return `${sign}0x${biased === 0 ? 0 : 1}${formatFraction(fraction, 13)}p${signed(exponent)}`
}

/** Formats an x87 number, which stores its leading bit; the C library prints four bits before the point. */
function formatExtended(bits: bigint): string {
  const sign = bits >> 79n === 1n ? '-' : ''
  const biased = Number((bits >> 64n) & 0x7fffn)
  const significand = bits & 0xffff_ffff_ffff_ffffn
  if (biased === 0x7fff) return `${sign}${significand << 1n === 1n << 64n ? 'inf' : 'nan'}L`
  if (significand === 0n) return `${sign}0x0p+0L`
  const exponent = (biased === 0 ? 1 : biased) - 16_383 - 3
  const lead = (significand >> 60n).toString(16)
  return `${sign}0x${lead}${formatFraction(significand & 0xfff_ffff_ffff_ffffn, 15)}p${signed(exponent)}L`
}

function formatFraction(fraction: bigint, digits: number): string {
  const text = fraction.toString(16).padStart(digits, '0').replace(/0+$/, '')
  return text === '' ? '' : `.${text}`
}

const signed = (exponent: number): string => (exponent < 0 ? `${exponent}` : `+${exponent}`)
