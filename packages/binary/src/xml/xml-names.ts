/** Characters that may begin a name in XML 1.0, beyond ASCII. Those outside the BMP appear as surrogates. */
const startRanges =
  '\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u02ff\\u0370-\\u037d\\u037f-\\u1fff\\u200c\\u200d\\u2070-\\u218f' +
  '\\u2c00-\\u2fef\\u3001-\\udfff\\uf900-\\ufdcf\\ufdf0-\\ufffd'
const wideStart = new RegExp(`[${startRanges}]`)
const wideOther = new RegExp(`[${startRanges}\\u00b7\\u0300-\\u036f\\u203f\\u2040]`)

/** Returns the end of the name that begins at `at`; `at` itself if there is none. The text may end inside the name. */
export function skipName(text: string, at: number): number {
  if (!isNameStart(text.charCodeAt(at))) return at
  let end = at + 1
  while (isNameCharacter(text.charCodeAt(end))) end++
  return end
}

function isNameStart(code: number): boolean {
  const lower = code | 0x20
  if (lower >= 0x61 && lower <= 0x7a) return true
  return code === 0x5f || code === 0x3a || (code >= 0x80 && wideStart.test(String.fromCharCode(code)))
}

function isNameCharacter(code: number): boolean {
  const lower = code | 0x20
  if (lower >= 0x61 && lower <= 0x7a) return true
  if ((code >= 0x30 && code <= 0x3a) || code === 0x5f || code === 0x2d || code === 0x2e) return true
  return code >= 0x80 && wideOther.test(String.fromCharCode(code))
}

/** Returns the end of the white space that begins at `at`. */
export function skipSpace(text: string, at: number): number {
  let end = at
  for (let code = text.charCodeAt(end); code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d;) {
    code = text.charCodeAt(++end)
  }
  return end
}
