import { BinaryError } from '../binary-error.ts'
import type { PlistValue } from './plist-value.ts'

/** Converts `<name>text</name>` to a value, for every element that holds no other element. */
export function toScalar(name: string, text: string): PlistValue {
  switch (name) {
    case 'string':
      return text
    case 'true':
    case 'false':
      return name === 'true'
    case 'integer':
      return toInteger(text.trim())
    case 'real':
      return toReal(text.trim())
    case 'date':
      return toDate(text.trim())
    case 'data':
      return Buffer.from(text, 'base64')
    default:
      throw malformed(`<${name.slice(0, 50)}> is no element of a property list.`)
  }
}

function toInteger(text: string): number | bigint {
  const match = /^([+-]?)(\d{1,39}|0[xX][0-9A-Fa-f]{1,32})$/.exec(text)
  if (!match) throw malformed('An integer is none.')
  const value = BigInt(match[2] ?? '') * (match[1] === '-' ? -1n : 1n)
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value
}

function toReal(text: string): number {
  if (/^[+-]?inf(inity)?$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity
  if (/^nan$/i.test(text)) return Number.NaN
  const value = Number(text)
  if (text === '' || Number.isNaN(value)) throw malformed('A real is none.')
  return value
}

function toDate(text: string): Date {
  const date = new Date(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/.test(text) ? text : Number.NaN)
  if (Number.isNaN(date.getTime())) throw malformed('A date is none.')
  return date
}

function malformed(detail: string): BinaryError {
  return new BinaryError('malformed-plist', detail)
}
