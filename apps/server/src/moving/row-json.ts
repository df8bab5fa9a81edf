import type { RawRow, Value } from './row-source.ts'
import { z } from 'zod'

/**
 * A row as a line of JSON. Bytes, which JSON lacks, become `{"$bytes": base64}`. The line separators of Unicode are
 * escaped, because some readers take them for line ends.
 */
export function toRowLine(row: RawRow): string {
  const values = Object.entries(row).map(([name, value]) => [name, toJson(value)])
  const text = JSON.stringify(Object.fromEntries(values))
  return `${text.replaceAll('\u2028', String.raw`\u2028`).replaceAll('\u2029', String.raw`\u2029`)}\n`
}

export function parseRowLine(line: string): RawRow {
  const values = Object.entries(z.record(z.string(), z.unknown()).parse(JSON.parse(line)))
  return Object.fromEntries(values.map(([name, value]) => [name, fromJson(value)]))
}

function toJson(value: Value) {
  return value instanceof Uint8Array ? { $bytes: Buffer.from(value).toString('base64') } : value
}

function fromJson(value: unknown): Value {
  if (typeof value === 'object' && value !== null && '$bytes' in value)
    return Buffer.from(String(value.$bytes), 'base64')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `toRowLine` writes nothing else
  return value as Value
}
