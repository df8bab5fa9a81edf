import { toLabel } from './json-value.ts'

/** Reads a text, a number or a truth value as text; null for anything else. */
export function toFlatText(value: unknown, maxLength: number): string | null {
  const text = typeof value === 'boolean' ? String(value) : toLabel(value)?.trim()
  return text === undefined || text === '' ? null : text.slice(0, maxLength).toWellFormed()
}
