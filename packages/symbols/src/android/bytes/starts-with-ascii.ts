/** Whether the bytes from offset `start` on begin with `text`, which is pure ASCII. */
export function startsWithAscii(bytes: Uint8Array, start: number, text: string): boolean {
  for (let at = 0; at < text.length; at++) if (bytes[start + at] !== text.charCodeAt(at)) return false
  return true
}
