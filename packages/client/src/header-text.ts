/** Header values are bytes; the server reads these as UTF-8. */
export function toHeaderText(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text))
}
