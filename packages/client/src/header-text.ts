/** Converts text to a header value whose characters are its UTF-8 bytes, because the server decodes it as UTF-8. */
export function toHeaderText(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text))
}

/** Names a file in a header. RFC 8187 requires some characters to be escaped that `encodeURIComponent` leaves. */
export function toContentDisposition(fileName: string): string {
  const escaped = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename*=UTF-8''${escaped}`
}
