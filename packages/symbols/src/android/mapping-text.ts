/**
 * The text of a mapping as the index keeps it, made from the pieces of the file: without a byte order mark and with
 * lines that end in one newline and no white space before it.
 */
import { SymbolsError } from '../symbols-error.ts'

/** Lines that come in more than one piece are put together up to this length; longer ones pass through in parts. */
const maxCarry = 1024 * 1024

const newline = 0x0a

/** What to scan and keep: whole lines, or a part of a line too long to be of use. */
export interface TextPiece {
  readonly bytes: Buffer
  readonly isWholeLines: boolean
}

export async function* readMappingText(pieces: AsyncIterable<Buffer>): AsyncGenerator<TextPiece> {
  let carry: Buffer = Buffer.alloc(0)
  let isFirst = true
  let inLongLine = false
  for await (const piece of pieces) {
    let bytes = carry.length > 0 ? Buffer.concat([carry, piece]) : piece
    if (isFirst && bytes.length < 3) {
      carry = Buffer.from(bytes)
      continue
    }
    if (isFirst) bytes = skipByteOrderMark(bytes)
    isFirst = false
    if (inLongLine) {
      const end = bytes.indexOf(newline) + 1
      yield { bytes: bytes.subarray(0, end === 0 ? bytes.length : end), isWholeLines: false }
      carry = Buffer.alloc(0)
      if (end === 0) continue
      inLongLine = false
      bytes = bytes.subarray(end)
    }
    const end = bytes.lastIndexOf(newline) + 1
    if (end > 0) yield { bytes: trimLineEnds(bytes.subarray(0, end)), isWholeLines: true }
    // Of its own memory: the piece is read into again.
    carry = Buffer.from(bytes.subarray(end))
    if (carry.length <= maxCarry) continue
    yield { bytes: carry, isWholeLines: false }
    carry = Buffer.alloc(0)
    inLongLine = true
  }
  if (isFirst) carry = skipByteOrderMark(carry)
  if (inLongLine) yield { bytes: Buffer.from('\n'), isWholeLines: false }
  else if (carry.length > 0) {
    yield { bytes: trimLineEnds(Buffer.concat([carry, Buffer.from('\n')])), isWholeLines: true }
  }
}

function skipByteOrderMark(bytes: Buffer): Buffer {
  const [first, second, third] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw new SymbolsError('malformed-mapping', 'It is in UTF-16; save it in UTF-8.')
  }
  return first === 0xef && second === 0xbb && third === 0xbf ? bytes.subarray(3) : bytes
}

/** The same lines without white space at their ends. R8 writes none, so that mostly nothing is copied. */
function trimLineEnds(lines: Buffer): Buffer {
  if (!lines.includes('\r\n') && !lines.includes(' \n') && !lines.includes('\t\n')) return lines
  const trimmed = Buffer.alloc(lines.length)
  let length = 0
  for (const byte of lines) {
    if (byte === newline) while (length > 0 && isBlank(trimmed[length - 1])) length--
    trimmed[length++] = byte
  }
  return trimmed.subarray(0, length)
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d
}
