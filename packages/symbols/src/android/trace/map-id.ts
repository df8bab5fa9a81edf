/** Which mapping a trace needs, where it says so itself. */

/** R8 writes the id in place of the source file: `at a.b.c(r8-map-id-7bd0…:12)`. */
const prefix = 'r8-map-id-'

/** Ids are a SHA-256 in hexadecimal digits, or the first of its digits. */
const maxIdLength = 64
const minIdLength = 7

/** The id of the mapping that `text`, a trace or a log, was obfuscated with; `undefined` where it does not say. */
export function detectMapId(text: string): string | undefined {
  for (let at = text.indexOf(prefix); at !== -1; at = text.indexOf(prefix, at + 1)) {
    const start = at + prefix.length
    let end = start
    while (end - start < maxIdLength && isHexDigit(text.charCodeAt(end))) end++
    if (end - start >= minIdLength) return text.slice(start, end)
  }
  return undefined
}

/** Whether both are the same id; one may be the first digits of the other. */
export function areSameMapId(one: string, other: string): boolean {
  const length = Math.min(one.length, other.length)
  return length >= minIdLength && one.slice(0, length).toLowerCase() === other.slice(0, length).toLowerCase()
}

function isHexDigit(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x66) || (code >= 0x41 && code <= 0x46)
}
