/**
 * Reads a plain tag in one pass: ASCII names, values in double quotes, and no references but those to XML's five
 * entities. Any other tag, and any malformed one, is left to the parser.
 */

export interface PlainTag {
  name: string
  /** The attributes of a start tag; null for an end tag. */
  attributes: Record<string, string> | null
  isSelfClosing: boolean
  /** The offset of the text after the tag. */
  end: number
}

const fiveEntities: Record<string, string | undefined> = Object.assign(Object.create(null), {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
})
const [quote, slash, equals, greater] = [0x22, 0x2f, 0x3d, 0x3e]
const maxAttributes = 50

/** Reads the tag whose `<` is at `at`; null if it is not plain, malformed or incomplete. */
export function scanTag(text: string, at: number): PlainTag | null {
  if (text.charCodeAt(at + 1) === slash) return scanEndTag(text, at + 2)
  const nameEnd = skipName(text, at + 1)
  if (nameEnd === at + 1) return null
  const attributes: Record<string, string> = {}
  let i = nameEnd
  for (let count = 0; ; count++) {
    const next = skipSpace(text, i)
    const code = text.charCodeAt(next)
    if (code === greater || (code === slash && text.charCodeAt(next + 1) === greater)) {
      const isSelfClosing = code === slash
      return { name: text.slice(at + 1, nameEnd), attributes, isSelfClosing, end: next + (isSelfClosing ? 2 : 1) }
    }
    if (next === i || count > maxAttributes) return null
    const attributeEnd = skipName(text, next)
    if (attributeEnd === next || text.charCodeAt(attributeEnd) !== equals) return null
    if (text.charCodeAt(attributeEnd + 1) !== quote) return null
    const valueEnd = text.indexOf('"', attributeEnd + 2)
    if (valueEnd === -1) return null
    const name = text.slice(next, attributeEnd)
    const value = decode(text.slice(attributeEnd + 2, valueEnd))
    if (value === null || name in attributes) return null
    attributes[name] = value
    i = valueEnd + 1
  }
}

function scanEndTag(text: string, at: number): PlainTag | null {
  const end = skipName(text, at)
  if (end === at || text.charCodeAt(end) !== greater) return null
  return { name: text.slice(at, end), attributes: null, isSelfClosing: false, end: end + 1 }
}

function decode(value: string): string | null {
  if (value.includes('<')) return null
  return value.includes('&') ? decodeText(value) : value
}

/** Decodes text with references to XML's five entities only; null if it contains another `&`. */
export function decodeText(text: string): string | null {
  let decoded = ''
  let from = 0
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', from)) {
    const end = text.indexOf(';', at)
    if (end === -1 || end - at > 5) return null
    const character = fiveEntities[text.slice(at + 1, end)]
    if (character === undefined) return null
    decoded += text.slice(from, at) + character
    from = end + 1
  }
  return decoded + text.slice(from)
}

/** Returns the end of a name of ASCII letters, digits, `_`, `-`, `.` and `:` that begins with a letter or `_`. */
function skipName(text: string, at: number): number {
  const first = text.charCodeAt(at) | 0x20
  if (!((first >= 0x61 && first <= 0x7a) || text.charCodeAt(at) === 0x5f)) return at
  let i = at + 1
  for (; ; i++) {
    const code = text.charCodeAt(i)
    const lower = code | 0x20
    if (lower >= 0x61 && lower <= 0x7a) continue
    if ((code >= 0x30 && code <= 0x3a) || code === 0x5f || code === 0x2d || code === 0x2e) continue
    return i
  }
}

function skipSpace(text: string, at: number): number {
  let i = at
  for (let code = text.charCodeAt(i); code === 0x20 || (code >= 9 && code <= 13 && code !== 11 && code !== 12);) {
    code = text.charCodeAt(++i)
  }
  return i
}
