import { SymbolsError } from '../symbols-error.ts'
import { isObject, type JsonObject } from './json-value.ts'
import { maxJsonDepth, maxJsonValues, maxPayloadDepth } from './limits.ts'

/**
 * Parses the JSON of a report, which stands at `offset` in it. Throws `malformed-report`; `unknown-report` for JSON
 * that is no object; `too-large` for more values or a deeper nesting than the limits allow, before it is parsed.
 */
export function parseJson(text: string, offset: number): JsonObject {
  checkJsonSize(text, text.includes('"callStackTree"') ? maxPayloadDepth : maxJsonDepth)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    const start = offset > 0 ? `Its body, which starts at ${offset}, ` : 'It '
    const why = cause instanceof Error ? cause.message : ''
    throw new SymbolsError('malformed-report', `${start}is not JSON: ${why.slice(0, 200)}`, { cause })
  }
  if (!isObject(value)) throw new SymbolsError('unknown-report', 'It is JSON, but not an object.')
  return value
}

/** Counts commas and opening brackets outside of strings: every value of JSON but the first comes after one. */
function checkJsonSize(text: string, maxDepth: number): void {
  let values = 1
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    switch (text.charAt(at)) {
      case '"':
        at = findStringEnd(text, at)
        continue
      case ']':
      case '}':
        depth--
        continue
      case '[':
      case '{':
        depth++
        break
      case ',':
        break
      default:
        continue
    }
    if (++values > maxJsonValues) throw new SymbolsError('too-large', `It has more than ${maxJsonValues} JSON values.`)
    if (depth > maxDepth) throw new SymbolsError('too-large', `Its JSON is nested deeper than ${maxDepth}.`)
  }
}

/** The index of the quotation mark that ends the string that begins at `start`; the text's length if none does. */
function findStringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at
  }
  return text.length
}
