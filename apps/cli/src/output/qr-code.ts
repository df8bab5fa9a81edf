import type { Io } from '../io.ts'
import { writeLine, writeNote } from './write.ts'

/** Writes an address as a QR code to a terminal that is wide enough; writes nothing to a pipe. */
export async function writeQrCode(io: Io, url: string): Promise<void> {
  if (io.stdout.isTTY !== true) return
  const { renderUnicodeCompact } = await import('uqr')
  const lines = renderUnicodeCompact(url, { border: 2 }).split('\n')
  const width = Math.max(...lines.map((line) => line.length))
  // A terminal of unknown size reports zero columns. A wrapped code could not be scanned.
  if ((io.stdout.columns || width) < width) {
    writeNote(io, `The terminal is too narrow for the QR code, which takes ${width} columns.`)
    return
  }
  writeLine(io)
  for (const line of lines) writeLine(io, line)
}
