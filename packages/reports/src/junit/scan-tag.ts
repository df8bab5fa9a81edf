/**
 * Reads a plain start tag in one pass: ASCII names, values in double quotes, and no references but those to XML's five
 * entities. Any other tag, and any malformed one, is left to the parser.
 */

export interface PlainTag {
  name: string
  attributes: Record<string, string>
  isSelfClosing: boolean
  /** The offset of the text after the tag. */
  end: number
}

const [quote, slash, equals, greater] = [0x22, 0x2f, 0x3d, 0x3e]
const maxAttributes = 50
const fiveEntities = [
  { reference: '&lt;', character: '<' },
  { reference: '&gt;', character: '>' },
  { reference: '&amp;', character: '&' },
  { reference: '&quot;', character: '"' },
  { reference: '&apos;', character: "'" },
]
/** Names that occurred before, so that equal names are one string, which is compared and looked up by its address. */
const names: string[] = Array.from({ length: 64 }, () => '')
const maxInterned = 12

/** Reads the start tag whose `<` is at `at`; null if it is not plain, malformed or incomplete. */
export function scanTag(text: string, at: number): PlainTag | null {
  const nameEnd = skipName(text, at + 1)
  if (nameEnd === at + 1) return null
  const attributes: Record<string, string> = {}
  let i = nameEnd
  for (let count = 0; ; count++) {
    const next = skipSpace(text, i)
    const code = text.charCodeAt(next)
    if (code === greater || (code === slash && text.charCodeAt(next + 1) === greater)) {
      const isSelfClosing = code === slash
      return { name: readName(text, at + 1, nameEnd), attributes, isSelfClosing, end: next + (isSelfClosing ? 2 : 1) }
    }
    if (next === i || count > maxAttributes) return null
    const attributeEnd = skipName(text, next)
    if (attributeEnd === next || text.charCodeAt(attributeEnd) !== equals) return null
    if (text.charCodeAt(attributeEnd + 1) !== quote) return null
    const valueEnd = text.indexOf('"', attributeEnd + 2)
    if (valueEnd === -1) return null
    const name = readName(text, next, attributeEnd)
    const value = decode(text.slice(attributeEnd + 2, valueEnd))
    if (value === null || name in attributes) return null
    attributes[name] = value
    i = valueEnd + 1
  }
}

/** Returns the end of the end tag of `name` whose `<` is at `at`; 0 if it is anything else or incomplete. */
export function scanEndTag(text: string, at: number, name: string): number {
  if (text.charCodeAt(at + 1) !== slash || !text.startsWith(name, at + 2)) return 0
  const end = at + 2 + name.length
  return text.charCodeAt(end) === greater ? end + 1 : 0
}

function readName(text: string, start: number, end: number): string {
  const length = end - start
  if (length > maxInterned) return text.slice(start, end)
  const index = (length * 7 + text.charCodeAt(start) + text.charCodeAt(end - 1)) & 63
  const known = names[index] ?? ''
  if (known.length === length && text.startsWith(known, start)) return known
  return (names[index] = text.slice(start, end))
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
    const entity = findEntity(text, at)
    if (entity === undefined) return null
    decoded += text.slice(from, at) + entity.character
    from = at + entity.reference.length
  }
  return decoded + text.slice(from)
}

function findEntity(text: string, at: number): (typeof fiveEntities)[number] | undefined {
  for (const entity of fiveEntities) if (text.startsWith(entity.reference, at)) return entity
  return undefined
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
