/**
 * The text of a mapping as the index keeps it, read in pieces: without a byte order mark, and with lines that end in
 * one newline.
 */
import type { FileHandle } from 'node:fs/promises'
import { SymbolsError } from '../symbols-error.ts'

const pieceSize = 1024 * 1024

const newline = 0x0a

/** What to scan and keep: whole lines, or a part of a line that is longer than a piece. Used before the next is read. */
export interface TextPiece {
  readonly bytes: Buffer
  readonly isWholeLines: boolean
}

export async function* readMappingText(file: FileHandle): AsyncGenerator<TextPiece> {
  const buffer = Buffer.allocUnsafe(2 * pieceSize)
  let filled = 0
  let isFirst = true
  let inLongLine = false
  for (;;) {
    const { bytesRead } = await file.read(buffer, filled, pieceSize)
    filled += bytesRead
    const isLast = bytesRead === 0
    if (isLast && filled > 0 && buffer[filled - 1] !== newline) buffer[filled++] = newline
    if (isFirst && filled < 3 && !isLast) continue
    const start = isFirst ? skipByteOrderMark(buffer.subarray(0, filled)) : 0
    isFirst = false
    const end = buffer.subarray(0, filled).lastIndexOf(newline) + 1
    let done = start
    if (inLongLine) {
      done = end === 0 ? filled : buffer.indexOf(newline) + 1
      yield { bytes: buffer.subarray(0, done), isWholeLines: false }
      inLongLine = end === 0
    } else if (end === 0 && filled >= pieceSize) {
      yield { bytes: buffer.subarray(start, filled), isWholeLines: false }
      inLongLine = true
      done = filled
    }
    if (end > done) {
      yield { bytes: trimLineEnds(buffer.subarray(done, end)), isWholeLines: true }
      done = end
    }
    if (isLast) return
    buffer.copyWithin(0, done, filled)
    filled -= done
  }
}

/** The place behind the byte order mark. */
function skipByteOrderMark([first, second, third]: Buffer): number {
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw new SymbolsError('malformed-mapping', 'It is in UTF-16; save it in UTF-8.')
  }
  return first === 0xef && second === 0xbb && third === 0xbf ? 3 : 0
}

/** The same lines without carriage returns and white space before their newlines. R8 writes neither. */
function trimLineEnds(lines: Buffer): Buffer {
  if (!lines.includes(0x0d)) return lines
  const trimmed = Buffer.allocUnsafe(lines.length)
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
