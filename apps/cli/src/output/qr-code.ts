import type { Io } from '../io.ts'
import { writeLine } from './write.ts'

/** An address as a QR code that a phone can read off the terminal; nothing in a pipe. */
export async function writeQrCode(io: Io, url: string): Promise<void> {
  if (io.stdout.isTTY !== true) return
  const { renderUnicodeCompact } = await import('uqr')
  writeLine(io)
  for (const line of renderUnicodeCompact(url, { border: 2 }).split('\n')) writeLine(io, line)
}
