/**
 * Reads the text of a mapping in pieces, without a byte order mark and with a single newline at the end of each line.
 */
import type { FileHandle } from 'node:fs/promises'
import { SymbolsError } from '../../symbols-error.ts'

const pieceSize = 1024 * 1024

const newline = 0x0a

/** A piece of the text: whole lines, or a part of a line that is longer than a piece. */
export interface TextPiece {
  /** A view of a buffer that is reused two pieces later. */
  readonly bytes: Buffer
  readonly isWholeLines: boolean
}

export async function* readMappingText(file: FileHandle): AsyncGenerator<TextPiece> {
  const buffers = Array.from({ length: 3 }, () => Buffer.allocUnsafeSlow(2 * pieceSize + 1))
  let inLongLine = false
  let reading = readBehind(file, Buffer.alloc(0), buffers[0])
  for (let isLast = false, number = 0; !isLast; number++) {
    const read = await reading
    isLast = read.isLast
    const bytes = number === 0 ? skipByteOrderMark(read.bytes) : read.bytes
    const end = bytes.lastIndexOf(newline) + 1
    const isPart = end === 0 && (inLongLine || bytes.length >= pieceSize)
    const rest = bytes.subarray(isPart ? bytes.length : end)
    // The next piece is read while the caller processes this one.
    if (!isLast) {
      reading = readBehind(file, rest, buffers[(number + 1) % 3])
      // An error is thrown when the piece is awaited. Without this handler Node would report an unhandled rejection
      // first.
      reading.catch(() => undefined)
    }
    if (isPart) {
      yield { bytes, isWholeLines: false }
      inLongLine = true
      continue
    }
    const start = inLongLine && end > 0 ? bytes.indexOf(newline) + 1 : 0
    if (start > 0) yield { bytes: bytes.subarray(0, start), isWholeLines: false }
    inLongLine = false
    if (end > start) yield { bytes: trimLineEnds(bytes.subarray(start, end)), isWholeLines: true }
  }
}

/** Reads the next piece of the file after `rest` into `buffer`. The last piece always ends with a newline. */
async function readBehind(
  file: FileHandle,
  rest: Buffer,
  buffer = Buffer.allocUnsafeSlow(0),
): Promise<{ bytes: Buffer; isLast: boolean }> {
  buffer.set(rest)
  let filled = rest.length
  while (filled < rest.length + pieceSize) {
    const { bytesRead } = await file.read(buffer, filled, rest.length + pieceSize - filled)
    filled += bytesRead
    if (bytesRead > 0) continue
    if (filled > 0 && buffer[filled - 1] !== newline) buffer[filled++] = newline
    return { bytes: buffer.subarray(0, filled), isLast: true }
  }
  return { bytes: buffer.subarray(0, filled), isLast: false }
}

function skipByteOrderMark(bytes: Buffer): Buffer {
  const [first, second, third] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw new SymbolsError('malformed-mapping', 'The file is in UTF-16; save it in UTF-8.')
  }
  return first === 0xef && second === 0xbb && third === 0xbf ? bytes.subarray(3) : bytes
}

/** Removes carriage returns and white space at the end of lines. R8 writes neither. */
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
