/**
 * Whether a name in a trace ends before this UTF-16 code unit, which is so at ASCII white space and at `[];:()<>`.
 * Letters and dots are tested first because names consist of them.
 */
export function endsName(code: number): boolean {
  if (((code | 0x20) - 0x61) >>> 0 < 26 || code === 0x2e) return false
  switch (code) {
    case 0x09:
    case 0x0a:
    case 0x0b:
    case 0x0c:
    case 0x0d:
    case 0x20:
    case 0x28:
    case 0x29:
    case 0x3a:
    case 0x3b:
    case 0x3c:
    case 0x3e:
    case 0x5b:
    case 0x5d:
      return true
    default:
      return false
  }
}
