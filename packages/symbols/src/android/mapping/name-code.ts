/**
 * Whether a UTF-16 code unit may be part of a name: SimpleName of the dex format, and the question mark that ProGuard
 * writes in some method names. All surrogates are accepted, because a pair stands for a supplementary character.
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
 * Whether a byte is an ASCII character of a name. Letters are tested first because nearly all bytes are letters. A read
 * past the end of a buffer gives `undefined`, which is not part of a name.
 */
export function isNameByte(byte: number | undefined): boolean {
  if (byte === undefined) return false
  if (((byte | 0x20) - 0x61) >>> 0 < 26) return true
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x24 || byte === 0x2d || byte === 0x5f || byte === 0x3f
}
