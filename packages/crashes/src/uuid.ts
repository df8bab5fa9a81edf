/** A UUID in lower case with hyphens, from any spelling of its 32 hexadecimal digits; null for anything else. */
export function toUuid(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 100) return null
  const digits = value
    .toLowerCase()
    .replace(/[^0-9a-f]/g, '')
    .slice(0, 32)
  if (digits.length !== 32 || /^0+$/.test(digits)) return null
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
