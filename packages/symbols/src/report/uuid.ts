/** A UUID in any of the spellings of crash reports, upper case with dashes; null for what is none, and for one of zeros. */
export function toUuid(text: string): string | null {
  const digits = text.replaceAll('-', '')
  if (!/^[0-9A-Fa-f]{32}$/.test(digits) || /^0+$/.test(digits)) return null
  return digits.toUpperCase().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
