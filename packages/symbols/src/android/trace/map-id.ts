/** The map id: R8 writes it into traces so that they can be matched with their mapping. */

/** The id takes the place of the source file, as in `at a.b.c(r8-map-id-7bd0…:12)`. */
const prefix = 'r8-map-id-'

/** An id is a SHA-256 in hexadecimal digits, or a prefix of it. */
const maxIdLength = 64
const minIdLength = 7

/** Finds the id of the mapping that a trace or a log belongs to; `undefined` if it contains none. */
export function detectMapId(text: string): string | undefined {
  for (let at = text.indexOf(prefix); at !== -1; at = text.indexOf(prefix, at + 1)) {
    const start = at + prefix.length
    let end = start
    while (end - start < maxIdLength && isHexDigit(text.charCodeAt(end))) end++
    if (end - start >= minIdLength) return text.slice(start, end)
  }
  return undefined
}

/** Whether two ids are the same. One of them may be a prefix of the other. */
export function areSameMapId(one: string, other: string): boolean {
  const length = Math.min(one.length, other.length)
  return length >= minIdLength && one.slice(0, length).toLowerCase() === other.slice(0, length).toLowerCase()
}

function isHexDigit(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x66) || (code >= 0x41 && code <= 0x46)
}
