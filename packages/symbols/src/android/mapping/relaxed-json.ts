/**
 * A parser for relaxed JSON: keys and words may be unquoted or in single quotes, as some notes in mappings have them.
 * Values that are malformed or nested too deep give `undefined`.
 */

export type RelaxedJson = string | number | boolean | null | RelaxedJson[] | { [key: string]: RelaxedJson }

/** R8's notes are nested three levels deep. */
const maxDepth = 32

class RelaxedJsonError extends Error {}

interface Cursor {
  readonly text: string
  at: number
}

/** Parses `text` as one relaxed JSON value, with nothing after it. */
export function parseRelaxedJson(text: string): RelaxedJson | undefined {
  const cursor: Cursor = { text, at: 0 }
  try {
    const value = parseValue(cursor, 0)
    return peek(cursor) === '' ? value : undefined
  } catch (error) {
    if (error instanceof RelaxedJsonError) return undefined
    throw error
  }
}

function parseValue(cursor: Cursor, depth: number): RelaxedJson {
  if (depth > maxDepth) throw new RelaxedJsonError()
  switch (peek(cursor)) {
    case '{':
      return parseObject(cursor, depth)
    case '[':
      return parseArray(cursor, depth)
    case '"':
    case "'":
      return parseQuoted(cursor)
    default:
      return toScalar(parseWord(cursor))
  }
}

function parseObject(cursor: Cursor, depth: number): RelaxedJson {
  const entries: [string, RelaxedJson][] = []
  cursor.at++
  while (!accept(cursor, '}')) {
    const quote = peek(cursor)
    const key = quote === '"' || quote === "'" ? parseQuoted(cursor) : parseWord(cursor)
    if (!accept(cursor, ':') && !accept(cursor, '=')) throw new RelaxedJsonError()
    if (cursor.text[cursor.at - 1] === '=') accept(cursor, '>')
    entries.push([key, parseValue(cursor, depth + 1)])
    if (!accept(cursor, ',') && !accept(cursor, ';') && peek(cursor) !== '}') throw new RelaxedJsonError()
  }
  return Object.fromEntries(entries)
}

function parseArray(cursor: Cursor, depth: number): RelaxedJson {
  const items: RelaxedJson[] = []
  cursor.at++
  while (!accept(cursor, ']')) {
    items.push(parseValue(cursor, depth + 1))
    if (!accept(cursor, ',') && !accept(cursor, ';') && peek(cursor) !== ']') throw new RelaxedJsonError()
  }
  return items
}

const escapes: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

function parseQuoted(cursor: Cursor): string {
  const { text } = cursor
  const quote = text[cursor.at++]
  let value = ''
  for (;;) {
    const char = text[cursor.at++]
    if (char === undefined) throw new RelaxedJsonError()
    if (char === quote) return value
    if (char !== '\\') {
      value += char
      continue
    }
    const escape = text[cursor.at++]
    if (escape === undefined) throw new RelaxedJsonError()
    if (escape !== 'u') {
      value += escapes[escape] ?? escape
      continue
    }
    const digits = text.slice(cursor.at, cursor.at + 4)
    if (!/^[\da-f]{4}$/i.test(digits)) throw new RelaxedJsonError()
    value += String.fromCharCode(Number.parseInt(digits, 16))
    cursor.at += 4
  }
}

const endsOfWord = ' \t\r\n\f,:;=[]{}/\\#'

function parseWord(cursor: Cursor): string {
  const start = cursor.at
  while (cursor.at < cursor.text.length && !endsOfWord.includes(cursor.text[cursor.at] ?? '')) cursor.at++
  if (cursor.at === start) throw new RelaxedJsonError()
  return cursor.text.slice(start, cursor.at)
}

function toScalar(word: string): RelaxedJson {
  if (word === 'null') return null
  if (word === 'true' || word === 'false') return word === 'true'
  return /^-?\d{1,15}$/.test(word) ? Number(word) : word
}

/** The next character after white space; `''` at the end. */
function peek(cursor: Cursor): string {
  while (cursor.at < cursor.text.length && ' \t\r\n'.includes(cursor.text[cursor.at] ?? '')) cursor.at++
  return cursor.text[cursor.at] ?? ''
}

function accept(cursor: Cursor, char: string): boolean {
  if (peek(cursor) !== char) return false
  cursor.at++
  return true
}
