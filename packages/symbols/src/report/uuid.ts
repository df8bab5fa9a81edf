/** Normalizes a UUID of a crash report to upper case with dashes; null if it is malformed or zero. */
export function toUuid(text: string): string | null {
  const digits = text.replaceAll('-', '')
  if (!/^[0-9A-Fa-f]{32}$/.test(digits) || /^0+$/.test(digits)) return null
  return digits.toUpperCase().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
