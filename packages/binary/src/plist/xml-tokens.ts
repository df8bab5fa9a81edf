import { BinaryError } from '../binary-error.ts'

export interface XmlTag {
  name: string
  /** `</name>` */
  closes: boolean
  /** `<name/>` */
  empty: boolean
}

export interface XmlTokens {
  /** Returns the next tag, or undefined at the end. Between tags only white space and comments are allowed. */
  nextTag(): XmlTag | undefined
  /** Returns the text up to `</name>` and consumes that tag. No other tag is allowed inside. */
  textUntilClose(name: string): string
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Creates a forward-only scanner that looks at every character once. */
export function createXmlTokens(text: string): XmlTokens {
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0

  function skipPast(end: string, from: number): void {
    const found = text.indexOf(end, from)
    if (found === -1) throw malformed('It breaks off.')
    at = found + end.length
  }

  /** Skips `<!DOCTYPE … [ … ]>` up to the first `>` outside quotes and brackets. */
  function skipDoctype(): void {
    let inSubset = false
    let quote = ''
    for (; at < text.length; at++) {
      const character = text.charAt(at)
      if (quote !== '') quote = character === quote ? '' : quote
      else if (character === '"' || character === "'") quote = character
      else if (character === '[') inSubset = true
      else if (character === ']') inSubset = false
      else if (character === '>' && !inSubset) {
        at++
        return
      }
    }
    throw malformed('Its document type breaks off.')
  }

  function nextTag(): XmlTag | undefined {
    for (;;) {
      const start = text.indexOf('<', at)
      const between = start === -1 ? text.slice(at) : text.slice(at, start)
      if (between.trim() !== '') throw malformed('There is text where a value should be.')
      if (start === -1) return undefined
      at = start
      if (text.startsWith('<!--', at)) skipPast('-->', at + 4)
      else if (text.startsWith('<?', at)) skipPast('?>', at + 2)
      else if (text.startsWith('<!DOCTYPE', at)) skipDoctype()
      else return readTag()
    }
  }

  function readTag(): XmlTag {
    const start = at
    skipPast('>', start)
    const inner = text.slice(start + 1, at - 1)
    const closes = inner.startsWith('/')
    const empty = inner.endsWith('/')
    const [name] = /^[A-Za-z]{1,20}/.exec(closes ? inner.slice(1, 40) : inner.slice(0, 40)) ?? []
    if (name === undefined) throw malformed('A tag has no name.')
    return { name, closes, empty }
  }

  function textUntilClose(name: string): string {
    let result = ''
    for (;;) {
      const start = text.indexOf('<', at)
      if (start === -1) throw malformed('It breaks off.')
      result += decodeEntities(text.slice(at, start))
      at = start
      if (text.startsWith('<![CDATA[', at)) {
        const from = at + 9
        skipPast(']]>', from)
        result += text.slice(from, at - 3)
      } else if (text.startsWith('<!--', at)) {
        skipPast('-->', at + 4)
      } else {
        const tag = readTag()
        if (!tag.closes || tag.name !== name) throw malformed(`<${name}> holds another element.`)
        return result
      }
    }
  }

  return { nextTag, textUntilClose }
}

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9A-Fa-f]{1,6})|([A-Za-z]{1,8}));|&/g, (_, decimal, hex, name) => {
    const code = decimal ? Number.parseInt(decimal as string, 10) : hex ? Number.parseInt(hex as string, 16) : undefined
    if (code !== undefined && code <= 0x10ffff) return String.fromCodePoint(code)
    const character = entities[String(name)]
    if (character === undefined) throw malformed('It uses an entity that is not one of the five of XML.')
    return character
  })
}

function malformed(detail: string): BinaryError {
  return new BinaryError('malformed-plist', detail)
}
