/**
 * The UTF-16 code units of a name, after the string syntax of the dex format (SimpleName), and the question mark that
 * ProGuard writes for some methods. Surrogates are let through: a pair is a character of a higher plane.
 */
export function isNameCode(code: number): boolean {
  if (code < 0x80) return nameBytes[code] === 1
  return (
    (code >= 0xa1 && code <= 0x1fff) ||
    (code >= 0x2010 && code <= 0x2027) ||
    (code >= 0x2030 && code <= 0xfefe) ||
    (code >= 0xff00 && code <= 0xffef)
  )
}

/** 1 at each byte that is an ASCII character of a name. */
export const nameBytes = new Uint8Array(0x100)
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789$-_?') {
  nameBytes[char.charCodeAt(0)] = 1
}
