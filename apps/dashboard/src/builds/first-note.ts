/** The most characters of a note that a row shows. */
const maxLength = 160

/** Marks around words; those inside of one, as in `snake_case`, are none. */
const emphasis = /(?<![\p{L}\d])(\*{1,3}|_{1,3}|~~)([^\s*_~](?:[^*~]*[^\s*_~])?)\1(?![\p{L}\d])/gu

/** Returns the first line of release notes that says something, without marks of Markdown; null if there is none. */
export function toFirstNote(notes: string | null): string | null {
  if (notes === null) return null
  // Only the beginning is looked at, because notes may be long and a list has many rows.
  const lines = notes.slice(0, 4000).split(/\r\n|[\n\r]/)
  for (const line of lines) {
    const text = line
      .replace(/^[\s>]*(?:#{1,6}\s|[*+-]\s(?:\[[ xX]\]\s)?|\d{1,9}[.)]\s)?/, '')
      .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/`+([^`]+)`+/g, '$1')
      .replaceAll(emphasis, '$2')
      .trim()
    if (/[\p{L}\p{N}]/u.test(text)) return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
  }
  return null
}
