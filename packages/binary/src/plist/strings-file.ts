/**
 * The old text form of a property list, limited to what `.strings` files use: pairs `"key" = "value";` with quoted or
 * bare words, and both kinds of comments. The encoding is UTF-8 or, with a byte order mark, UTF-16.
 */
import { BinaryError } from '../binary-error.ts'
import type { PlistDictionary } from './plist-value.ts'

const space = /\s*/y
const word = /[A-Za-z0-9_.$/:-]+/y
const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t' }

export function parseStringsFile(bytes: Buffer): PlistDictionary {
  const text = decode(bytes)
  const strings: PlistDictionary = Object.create(null)
  let at = 0

  function skipBlank(): void {
    for (;;) {
      space.lastIndex = at
      at += space.exec(text)?.[0].length ?? 0
      if (text.startsWith('//', at)) at = endOf('\n', at)
      else if (text.startsWith('/*', at)) at = endOf('*/', at + 2)
      else return
    }
  }

  function endOf(end: string, from: number): number {
    const found = text.indexOf(end, from)
    return found === -1 ? text.length : found + end.length
  }

  function readWord(): string {
    if (text[at] === '"') return readQuoted()
    word.lastIndex = at
    const found = word.exec(text)?.[0]
    if (found === undefined) throw malformed('It holds something else than pairs.')
    at += found.length
    return found
  }

  function readQuoted(): string {
    const start = at + 1
    let end = text.indexOf('"', start)
    while (end !== -1 && isEscaped(end)) end = text.indexOf('"', end + 1)
    if (end === -1) throw malformed('A string has no end.')
    at = end + 1
    return unescape(text.slice(start, end))
  }

  /** True if an odd number of backslashes precedes the quote. */
  function isEscaped(quote: number): boolean {
    let start = quote
    while (text[start - 1] === '\\') start--
    return (quote - start) % 2 === 1
  }

  function skip(character: string): boolean {
    skipBlank()
    if (text[at] !== character) return false
    at++
    return true
  }

  for (skipBlank(); at < text.length; skipBlank()) {
    const key = readWord()
    const hasValue = skip('=')
    skipBlank()
    strings[key] = hasValue ? readWord() : key
    if (!skip(';')) throw malformed('A pair has no end.')
  }
  return strings
}

function decode(bytes: Buffer): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  return new TextDecoder().decode(bytes)
}

function unescape(text: string): string {
  return text.replaceAll(
    /\\(?:U([0-9A-Fa-f]{4})|([0-7]{1,3})|([^]))/g,
    (_, unicode?: string, octal?: string, character = '') => {
      if (unicode) return String.fromCharCode(Number.parseInt(unicode, 16))
      if (octal) return String.fromCharCode(Number.parseInt(octal, 8))
      return escapes[character] ?? character
    },
  )
}

function malformed(detail: string): BinaryError {
  return new BinaryError('malformed-plist', `As a .strings file: ${detail}`)
}
