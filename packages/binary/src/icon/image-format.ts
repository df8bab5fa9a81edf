import type { ImageFormat } from '../app-info.ts'

/** Detects the format from the first 12 bytes, because file names and extensions are unreliable. */
export function findImageFormat(bytes: Buffer): ImageFormat | undefined {
  if (bytes.length < 12) return undefined
  if (bytes.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))) return 'png'
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') return 'webp'
  return bytes.readUIntBE(0, 3) === 0xffd8ff ? 'jpeg' : undefined
}
