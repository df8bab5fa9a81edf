import type { Io } from '../io.ts'
import { writeLine } from './write.ts'

/** Writes an address as a QR code to a terminal; writes nothing to a pipe. */
export async function writeQrCode(io: Io, url: string): Promise<void> {
  if (io.stdout.isTTY !== true) return
  const { renderUnicodeCompact } = await import('uqr')
  writeLine(io)
  for (const line of renderUnicodeCompact(url, { border: 2 }).split('\n')) writeLine(io, line)
}
