/**
 * Cleans text from a binary for display: one line, no bidirectional control characters, limited length. The result
 * still has to be escaped.
 */
export function toShownText(text: string, limit = 120): string {
  const clean = text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    // Bidirectional marks and overrides could disguise the text; pages isolate it with `<bdi>` instead.
    .replace(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '')
    .trim()
  const characters = Array.from(clean.slice(0, limit * 4))
  return characters.length <= limit ? clean : `${characters.slice(0, limit).join('')}…`
}
