/**
 * A parser for regular expressions in Java's syntax, with which users describe the lines of their traces. It produces a
 * tree; pattern-matcher.ts matches it in linear time, so no expression can be used to block the process.
 *
 * Supported are characters, `.`, character classes, `\d \s \w \D \S \W`, `\p{…}` and `\P{…}` with Unicode properties,
 * `\b \B ^ $`, groups with and without capture, `|`, and the quantifiers `* + ? {n} {n,} {n,m}`, greedy or lazy.
 */
import { SymbolsError } from '../../symbols-error.ts'

export type CodeTest = (code: number) => boolean

export type Pattern =
  | { kind: 'code'; test: CodeTest }
  | { kind: 'sequence'; items: Pattern[] }
  | { kind: 'choice'; items: Pattern[] }
  | { kind: 'repeat'; item: Pattern; min: number; max: number; greedy: boolean }
  | { kind: 'capture'; name: string; item: Pattern }
  | { kind: 'boundary'; inverted: boolean }
  | { kind: 'start' }
  | { kind: 'end' }

const maxDepth = 50
const maxLength = 4096
const maxRepeat = 1000

interface Cursor {
  readonly source: string
  at: number
}

export function parsePattern(source: string): Pattern {
  if (source.length > maxLength) fail('The expression is too long.')
  const cursor: Cursor = { source, at: 0 }
  const pattern = parseChoice(cursor, 0)
  if (cursor.at < source.length) fail(`The closing bracket at ${cursor.at + 1} has no opening one.`)
  return pattern
}

function fail(detail: string): never {
  throw new SymbolsError('malformed-expression', detail)
}

function parseChoice(cursor: Cursor, depth: number): Pattern {
  if (depth > maxDepth) fail('Its groups are nested too deep.')
  const items = [parseSequence(cursor, depth)]
  while (accept(cursor, '|')) items.push(parseSequence(cursor, depth))
  return items.length === 1 && items[0] ? items[0] : { kind: 'choice', items }
}

function parseSequence(cursor: Cursor, depth: number): Pattern {
  const items: Pattern[] = []
  while (cursor.at < cursor.source.length && !'|)'.includes(cursor.source[cursor.at] ?? '')) {
    items.push(parseQuantifier(cursor, parseAtom(cursor, depth)))
  }
  return { kind: 'sequence', items }
}

function parseQuantifier(cursor: Cursor, item: Pattern): Pattern {
  const limits = parseLimits(cursor)
  if (!limits) return item
  const greedy = !accept(cursor, '?')
  if (greedy && accept(cursor, '+')) fail('Possessive quantifiers are not supported.')
  return parseQuantifier(cursor, { kind: 'repeat', item, ...limits, greedy })
}

function parseLimits(cursor: Cursor): { min: number; max: number } | undefined {
  if (accept(cursor, '*')) return { min: 0, max: Infinity }
  if (accept(cursor, '+')) return { min: 1, max: Infinity }
  if (accept(cursor, '?')) return { min: 0, max: 1 }
  if (cursor.source[cursor.at] !== '{') return undefined
  const end = cursor.source.indexOf('}', cursor.at)
  const [min, max, ...more] = cursor.source.slice(cursor.at + 1, end).split(',')
  cursor.at = end + 1
  const limits = { min: Number(min), max: max === undefined ? Number(min) : max === '' ? Infinity : Number(max) }
  const isValid = end !== -1 && more.length === 0 && min !== '' && limits.min >= 0 && limits.max >= limits.min
  if (!isValid || limits.min > maxRepeat || (limits.max > maxRepeat && limits.max !== Infinity)) {
    fail('A quantifier in braces is malformed or too large.')
  }
  return limits
}

function parseAtom(cursor: Cursor, depth: number): Pattern {
  const char = next(cursor)
  switch (char) {
    case '(':
      return parseGroup(cursor, depth)
    case '[':
      return { kind: 'code', test: parseClass(cursor, depth) }
    case '.':
      return { kind: 'code', test: (code) => !isLineEnd(code) }
    case '^':
      return { kind: 'start' }
    case '$':
      return { kind: 'end' }
    case '*':
    case '+':
    case '?':
      return fail(`There is nothing to repeat at ${cursor.at}.`)
    case '\\':
      return parseEscape(cursor)
    default:
      return toLiteral(char)
  }
}

function parseGroup(cursor: Cursor, depth: number): Pattern {
  let name: string | undefined
  if (accept(cursor, '?')) {
    if (accept(cursor, '<')) {
      const end = cursor.source.indexOf('>', cursor.at)
      name = cursor.source.slice(cursor.at, end)
      if (!/^[a-z]\w*$/i.test(name)) fail('Lookaround is not supported.')
      cursor.at = end + 1
    } else if (!accept(cursor, ':')) fail('Lookaround and flags are not supported.')
  }
  const item = parseChoice(cursor, depth + 1)
  if (!accept(cursor, ')')) fail('A group is not closed.')
  return name === undefined ? item : { kind: 'capture', name, item }
}

function parseEscape(cursor: Cursor): Pattern {
  if (accept(cursor, 'b')) return { kind: 'boundary', inverted: false }
  if (accept(cursor, 'B')) return { kind: 'boundary', inverted: true }
  return { kind: 'code', test: parseEscapedTest(cursor) }
}

const controls: Record<string, string> = { t: '\t', n: '\n', r: '\r', f: '\f' }

function parseEscapedTest(cursor: Cursor): CodeTest {
  const char = next(cursor)
  const known = shorthands[char]
  if (known) return known
  if (char === 'p' || char === 'P') return parseProperty(cursor, char === 'P')
  if (/[a-zA-Z0-9]/.test(char) && !controls[char]) fail(`The escape \\${char} is not supported.`)
  return testFor((controls[char] ?? char).charCodeAt(0))
}

const isDigit: CodeTest = (code) => code >= 0x30 && code <= 0x39
const isSpace: CodeTest = (code) => code === 0x20 || (code >= 0x09 && code <= 0x0d)
const isWord: CodeTest = (code) =>
  isDigit(code) || code === 0x5f || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
const isLineEnd: CodeTest = (code) =>
  code === 0x0a || code === 0x0d || code === 0x85 || code === 0x2028 || code === 0x2029

const shorthands: Record<string, CodeTest> = {
  d: isDigit,
  s: isSpace,
  w: isWord,
  D: (code) => !isDigit(code),
  S: (code) => !isSpace(code),
  W: (code) => !isWord(code),
}

function parseProperty(cursor: Cursor, inverted: boolean): CodeTest {
  const start = cursor.at
  const end = cursor.source[start] === '{' ? cursor.source.indexOf('}', start) + 1 : start + 1
  cursor.at = end
  const name = cursor.source.slice(start, end).replace(/^\{|\}$/g, '')
  if (!/^\w+$/.test(name)) fail('A Unicode property is not closed.')
  let property: RegExp
  try {
    property = new RegExp(`\\p{${name}}`, 'u')
  } catch {
    return fail(`There is no Unicode property ${name}.`)
  }
  return (code) => property.test(String.fromCharCode(code)) !== inverted
}

/** Parses a character class after its opening bracket. */
function parseClass(cursor: Cursor, depth: number): CodeTest {
  if (depth > maxDepth) fail('Its groups are nested too deep.')
  const inverted = accept(cursor, '^')
  const tests: CodeTest[] = []
  do tests.push(parseClassItem(cursor, depth))
  while (cursor.source[cursor.at] !== ']')
  cursor.at++
  return (code) => tests.some((test) => test(code)) !== inverted
}

function parseClassItem(cursor: Cursor, depth: number): CodeTest {
  const char = next(cursor)
  if (char === '[') return parseClass(cursor, depth + 1)
  if (char === '\\' && /[dswDSWpP]/.test(cursor.source[cursor.at] ?? '')) return parseEscapedTest(cursor)
  const first = char === '\\' ? parseClassEscape(cursor) : char.charCodeAt(0)
  if (cursor.source[cursor.at] !== '-' || cursor.source[cursor.at + 1] === ']') return testFor(first)
  cursor.at++
  const end = next(cursor)
  const last = end === '\\' ? parseClassEscape(cursor) : end.charCodeAt(0)
  return (code) => code >= first && code <= last
}

function parseClassEscape(cursor: Cursor): number {
  const char = next(cursor)
  if (/[a-zA-Z0-9]/.test(char) && !controls[char]) fail(`The escape \\${char} is not supported in a character class.`)
  return (controls[char] ?? char).charCodeAt(0)
}

function toLiteral(char: string): Pattern {
  return { kind: 'code', test: testFor(char.charCodeAt(0)) }
}

function testFor(wanted: number): CodeTest {
  return (code) => code === wanted
}

function next(cursor: Cursor): string {
  const char = cursor.source[cursor.at++]
  return char ?? fail('It is incomplete.')
}

function accept(cursor: Cursor, char: string): boolean {
  if (cursor.source[cursor.at] !== char) return false
  cursor.at++
  return true
}
