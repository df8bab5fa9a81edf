/**
 * A text out of a binary, as it may be shown: on one line, without what turns the writing around, not endless.
 * It still has to be escaped.
 */
export function toShownText(text: string, limit = 120): string {
  const clean = text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    // Marks and overrides of direction: each shown text is isolated in a direction of its own instead.
    .replace(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '')
    .trim()
  const characters = Array.from(clean.slice(0, limit * 4))
  return characters.length <= limit ? clean : `${characters.slice(0, limit).join('')}…`
}
