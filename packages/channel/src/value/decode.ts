import { findBinaryValue } from './binary.ts'
import { setOwn } from './encode.ts'
import { ValueError, joinPath, maxDepth } from './value-error.ts'

/** The value that `encodeValue` wrote. Throws ValueError for JSON or tags that it never writes. */
export function decodeValue(text: string, attachments: readonly Uint8Array[]): unknown {
  if (text === '') return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new ValueError('', 'the body is not JSON', error)
  }
  // A tag, or an escaped key, is the only thing that starts so; one character is found much faster than two.
  if (!text.includes('$') || !text.includes('"$')) return value
  return restore(value, attachments, '', maxDepth)
}

function restore(value: unknown, attachments: readonly Uint8Array[], path: string, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) throw new ValueError(path.slice(0, 200), `deeper than ${maxDepth} levels`)
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      value[index] = restore(value[index], attachments, joinPath(path, index), depth - 1)
    }
    return value
  }
  const object = value as Record<string, unknown>
  if (Array.isArray(object['$'])) return restoreTagged(object['$'], attachments, path, depth - 1)
  const restored: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(object)) {
    const name = key.startsWith('$') ? key.slice(1) : key
    setOwn(restored, name, restore(item, attachments, joinPath(path, name), depth - 1))
  }
  return restored
}

function restoreTagged(tag: unknown[], attachments: readonly Uint8Array[], path: string, depth: number): unknown {
  const [kind, first, second] = tag
  const inner = (value: unknown) => restore(value, attachments, path, depth)
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
        return new Map(inner(first) as [unknown, unknown][])
      case 'Set':
        return new Set(inner(first) as unknown[])
      case 'RegExp':
        return new RegExp(String(first), String(second))
      case 'URL':
        return new URL(String(first))
      case 'Error':
        return restoreError(inner(first) as Record<string, unknown>)
      default: {
        const bytes = typeof first === 'number' ? attachments[first] : undefined
        const found = bytes && findBinaryValue(String(kind), bytes)
        if (found) return found
      }
    }
  } catch (error) {
    if (error instanceof ValueError) throw error
    throw new ValueError(path, `not a ${String(kind)}`, error)
  }
  throw new ValueError(path, `an unknown tag '${String(kind)}'`)
}

const errorKinds: Record<string, ErrorConstructor> = {
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
}

/** An error of the same name, with the stack it had where it was thrown. */
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
