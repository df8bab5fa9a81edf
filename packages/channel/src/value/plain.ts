import type { Census } from './census.ts'
import { longTextLength } from './long-text.ts'

/**
 * True if `JSON.stringify` writes the value without loss. Most sent values are like that, and most of them are scalars.
 */
export function isPlain(value: unknown, depth: number, census: Census): boolean {
  if (typeof value === 'string') return countText(value, census)
  if (typeof value === 'boolean' || value === null) return true
  if (typeof value === 'number') return value === 0 ? 1 / value > 0 : value - value === 0
  if (typeof value !== 'object' || depth === 0 || --census.objectsLeft < 0) return false
  if (Array.isArray(value)) return isPlainArray(value, depth, census)
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return false
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object whose fields are unknown
  const object = value as Record<string, unknown>
  let count = 0
  for (const key in object) {
    if (key.charCodeAt(0) === dollar || key === 'toJSON') return false
    count++
    if (!isPlainItem(object[key], depth, census)) return false
  }
  census.values += count
  return true
}

function isPlainArray(items: readonly unknown[], depth: number, census: Census): boolean {
  for (let index = 0; index < items.length; index++) {
    if (!isPlainItem(items[index], depth, census)) return false
  }
  census.values += items.length
  return true
}

function isPlainItem(item: unknown, depth: number, census: Census): boolean {
  return typeof item === 'string' ? countText(item, census) : isPlain(item, depth - 1, census)
}

function countText(text: string, census: Census): true {
  if (text.length >= longTextLength) census.longTexts += text.length
  return true
}

/** Code of `$`, the first character of tags. */
const dollar = 36
