import { CrashesError } from '../crashes-error.ts'
import { isObject, type JsonObject } from './json-value.ts'

/** Parses bytes or text that must be a JSON object. A byte order mark is skipped. */
export function parseJsonObject(input: Uint8Array | string): JsonObject {
  const text = typeof input === 'string' ? input : Buffer.from(input.buffer, input.byteOffset, input.length).toString()
  let value: unknown
  try {
    value = JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text)
  } catch (cause) {
    throw new CrashesError('malformed', 'It is not JSON.', { cause })
  }
  if (!isObject(value)) throw new CrashesError('malformed', 'It is JSON, but not an object.')
  return value
}
