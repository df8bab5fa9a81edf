/**
 * Decodes the bytes of an XML document, or of another text, piece by piece. The encoding follows from the byte order
 * mark, or else from zero bytes (UTF-16 without a mark), or else from the XML declaration. A declaration of UTF-16 in a
 * file of single bytes is ignored. Invalid bytes become U+FFFD.
 */
import { isAscii, isUtf8 } from 'node:buffer'
import { outOfRange } from '@fairlead/invariant'

export interface PieceDecoder {
  /** The name of the encoding, as TextDecoder knows it. */
  readonly encoding: string
  /** Whether a byte was invalid so far. */
  readonly isBroken: boolean
  decode(bytes: Buffer): string
  /** The replacement for a character that is incomplete at the end. */
  end(): string
}

/**
 * Chooses a decoder by the first bytes of the text, at least 4 if it has that many; `decode` gets them again. Returns
 * undefined for UTF-32, which is not supported.
 */
export function createPieceDecoder(start: Buffer): PieceDecoder | undefined {
  const detected = detectEncoding(start)
  if (detected === undefined) return undefined
  const { encoding, isDoubtful } = detected
  return encoding === 'utf-8' ? createUtf8Decoder(isDoubtful) : createOtherDecoder(encoding)
}

function detectEncoding(start: Buffer): { encoding: string; isDoubtful: boolean } | undefined {
  const certain = (encoding: string) => ({ encoding, isDoubtful: false })
  const [a, b, c, d] = start
  if ((a === 0xff && b === 0xfe && c === 0 && d === 0) || (a === 0 && b === 0 && c === 0xfe && d === 0xff)) {
    return undefined
  }
  if (a === 0xff && b === 0xfe) return certain('utf-16le')
  if (a === 0xfe && b === 0xff) return certain('utf-16be')
  if (a === 0xef && b === 0xbb && c === 0xbf) return certain('utf-8')
  if (a !== 0 && b === 0 && c !== 0 && d === 0) return certain('utf-16le')
  if (a === 0 && b !== 0 && c === 0 && d !== 0) return certain('utf-16be')
  const declaration = /^\s*<\?xml[^>]{0,500}?\sencoding\s*=\s*["']([^"']{1,60})["']/.exec(
    start.toString('latin1', 0, 700),
  )
  const declared = declaration?.[1]?.toLowerCase() ?? 'utf-8'
  if (/^(?:utf-?(?:16|32)|ucs|iso-10646)/.test(declared)) return certain('utf-8')
  try {
    return certain(new TextDecoder(declared).encoding)
  } catch {
    return { encoding: 'utf-8', isDoubtful: true }
  }
}

/** Decodes UTF-8. Each chunk is checked, so that valid ones take the fast path of Buffer. */
function createUtf8Decoder(isDoubtful: boolean): PieceDecoder {
  let isBroken = isDoubtful
  let isFirst = true
  let rest: Buffer = Buffer.alloc(0)
  const toText = (bytes: Buffer) => {
    if (isAscii(bytes)) return bytes.toString('latin1')
    if (isUtf8(bytes)) return bytes.toString('utf8')
    isBroken = true
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  }
  return {
    encoding: 'utf-8',
    get isBroken() {
      return isBroken
    },
    decode(bytes) {
      const all = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
      const end = all.length - countUnfinished(all)
      rest = Buffer.from(all.subarray(end))
      const text = toText(all.subarray(0, end))
      if (!isFirst || text === '') return text
      isFirst = false
      return text.startsWith('\ufeff') ? text.slice(1) : text
    },
    end() {
      return rest.length === 0 ? '' : toText(rest)
    },
  }
}

/** Counts the bytes of an incomplete character at the end: 0 to 3. */
function countUnfinished(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? outOfRange()
    if ((byte & 0xc0) === 0x80) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return length > back ? back : 0
  }
  return 0
}

/** Finds invalid bytes by their replacement U+FFFD, which no single-byte encoding contains. */
function createOtherDecoder(encoding: string): PieceDecoder {
  const decoder = new TextDecoder(encoding)
  let isBroken = false
  const check = (text: string) => {
    isBroken ||= text.includes('\ufffd')
    return text
  }
  return {
    encoding,
    get isBroken() {
      return isBroken
    },
    decode: (bytes) => check(decoder.decode(bytes, { stream: true })),
    end: () => check(decoder.decode()),
  }
}
