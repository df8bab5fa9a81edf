/** Converts text to a header value whose characters are its UTF-8 bytes, because the server decodes it as UTF-8. */
export function toHeaderText(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text))
}
