/**
 * The UTF-16 code units of a name, after the string syntax of the dex format (SimpleName), and the question mark that
 * ProGuard writes for some methods. Surrogates are let through: a pair is a character of a higher plane.
 */
export function isNameCode(code: number): boolean {
  if (code < 0x80) return isNameByte(code)
  return (
    (code >= 0xa1 && code <= 0x1fff) ||
    (code >= 0x2010 && code <= 0x2027) ||
    (code >= 0x2030 && code <= 0xfefe) ||
    (code >= 0xff00 && code <= 0xffef)
  )
}

/**
 * Whether the byte is an ASCII character of a name. Letters, nearly all of what is asked, are told by one comparison.
 * `undefined`, which a read past the end of the bytes gives, is not part of a name.
 */
export function isNameByte(byte: number | undefined): boolean {
  if (byte === undefined) return false
  if (((byte | 0x20) - 0x61) >>> 0 < 26) return true
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x24 || byte === 0x2d || byte === 0x5f || byte === 0x3f
}
