import type { Attachment } from '../wire/frame.ts'
import { findBinaryValue } from './binary.ts'
import { setOwn } from './encode.ts'
import { ValueError, maxDepth } from './value-error.ts'

/**
 * Reads a value that `encodeValue` wrote.
 *
 * @throws ValueError for JSON or tags that it never writes.
 */
export function decodeValue(text: string, attachments: readonly Attachment[]): unknown {
  if (text === '') return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new ValueError('', 'the body is not JSON', error)
  }
  // Only tags and escaped keys start with `"$`. Searching for one character first is much faster than for two.
  if (attachments.length === 0 && (!text.includes('$') || !text.includes('"$'))) return value
  return new Restorer(attachments).restore(value, maxDepth)
}

/** Replaces tags by their values. Paths in its errors start at the value passed to `restore`. */
class Restorer {
  readonly #attachments: readonly Attachment[]

  constructor(attachments: readonly Attachment[]) {
    this.#attachments = attachments
  }

  restore(value: unknown, depth: number): unknown {
    if (typeof value !== 'object' || value === null) return value
    if (depth === 0) throw new ValueError('', `deeper than ${maxDepth} levels`)
    if (Array.isArray(value)) return this.#restoreItems(value, depth - 1)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object of JSON with unknown fields
    const object = value as Record<string, unknown>
    if (Array.isArray(object['$'])) return this.#restoreTagged(object['$'], depth - 1)
    return this.#restoreProperties(object, depth - 1)
  }

  #restoreItems(items: unknown[], depth: number): unknown[] {
    let index = 0
    try {
      for (; index < items.length; index++) items[index] = this.restore(items[index], depth)
    } catch (error) {
      if (error instanceof ValueError) error.placeIn(index)
      throw error
    }
    return items
  }

  #restoreProperties(object: Record<string, unknown>, depth: number): Record<string, unknown> {
    let isEscaped = false
    let place = ''
    try {
      for (const key of Object.keys(object)) {
        place = key
        if (key.startsWith('$')) isEscaped = true
        const item = object[key]
        const restored = this.restore(item, depth)
        if (restored !== item) object[key] = restored
      }
    } catch (error) {
      if (error instanceof ValueError) error.placeIn(unescape(place))
      throw error
    }
    return isEscaped ? unescapeKeys(object) : object
  }

  #restoreTagged(tag: unknown[], depth: number): unknown {
    const [kind, first, second] = tag
    try {
      switch (kind) {
        case 'undefined':
          return undefined
        case 'number':
          return Number(first)
        case 'bigint':
          return BigInt(String(first))
        case 'Date':
          return new Date(typeof first === 'number' ? first : Number.NaN)
        case 'Map':
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `new Map` throws if it is none
          return new Map(this.restore(first, depth) as [unknown, unknown][])
        case 'Set':
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `new Set` throws if it is none
          return new Set(this.restore(first, depth) as unknown[])
        case 'RegExp':
          return new RegExp(String(first), String(second))
        case 'URL':
          return new URL(String(first))
        case 'Error':
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its fields are unknown
          return restoreError(this.restore(first, depth) as Record<string, unknown>)
        default: {
          const attachment = typeof first === 'number' ? this.#attachments[first] : undefined
          const found = attachment === undefined ? undefined : findAttached(String(kind), attachment)
          if (found !== undefined) return found
        }
      }
    } catch (error) {
      if (error instanceof ValueError) throw error
      throw new ValueError('', `not a ${String(kind)}`, error)
    }
    throw new ValueError('', `an unknown tag '${String(kind)}'`)
  }
}

function findAttached(kind: string, attachment: Attachment): unknown {
  if (typeof attachment !== 'string') return findBinaryValue(kind, attachment)
  return kind === 'String' ? attachment : undefined
}

function unescape(key: string): string {
  return key.startsWith('$') ? key.slice(1) : key
}

function unescapeKeys(object: Record<string, unknown>): Record<string, unknown> {
  const unescaped: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(object)) setOwn(unescaped, unescape(key), item)
  return unescaped
}

const errorKinds: Record<string, ErrorConstructor> = {
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
}

/** Creates an error of the same name with its original stack. */
function restoreError(fields: Record<string, unknown>): Error {
  const { name, message, stack, cause, errors, ...own } = fields
  const construct = errorKinds[String(name)] ?? Error
  const options = 'cause' in fields ? { cause } : undefined
  const error = Array.isArray(errors)
    ? new AggregateError(errors, String(message), options)
    : new construct(String(message), options)
  for (const [key, value] of Object.entries(own)) {
    Object.defineProperty(error, key, { value, writable: true, enumerable: true, configurable: true })
  }
  const shown = { writable: true, enumerable: false, configurable: true }
  if (error.name !== name) Object.defineProperty(error, 'name', { value: String(name), ...shown })
  if (typeof stack === 'string') Object.defineProperty(error, 'stack', { value: stack, ...shown })
  return error
}
