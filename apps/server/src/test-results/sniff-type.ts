import { open } from 'node:fs/promises'

const headSize = 512
const webp = /^RIFF.{4}WEBP/s

/** Finds the media type of a file by its first bytes; null if they are not known. File names are ignored. */
export async function sniffType(path: string): Promise<string | null> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headSize), 0, headSize, 0)
  const head = buffer.subarray(0, bytesRead)
  const latin = head.toString('latin1')
  if (latin.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (latin.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (latin.startsWith('GIF8')) return 'image/gif'
  if (webp.test(latin)) return 'image/webp'
  if (latin.startsWith('\x1a\x45\xdf\xa3')) return 'video/webm'
  if (latin.slice(4, 8) === 'ftyp') return latin.slice(8, 12) === 'qt  ' ? 'video/quicktime' : 'video/mp4'
  if (head.length === 0 || head.includes(0)) return null
  try {
    // A character may be cut at the end of the head.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return 'text/plain'
  } catch {
    return null
  }
}
