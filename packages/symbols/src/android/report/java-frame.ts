export interface JavaFrame {
  className: string
  methodName: string
  /** Null if Java did not know it. */
  file: string | null
  line: number | null
}

const longestLine = 4096

/** Reads `at com.example.Shop.pay(Shop.java:12)`, with or without a class loader or module before the class. */
export function parseJavaFrame(line: string): JavaFrame | undefined {
  const body = line.trimStart()
  if (!body.startsWith('at ') || body.length > longestLine) return undefined
  const open = body.indexOf('(')
  const close = body.lastIndexOf(')')
  if (open < 0 || close < open) return undefined
  const name = body.slice(3, open).trim()
  const member = name.slice(name.lastIndexOf('/') + 1)
  const dot = member.lastIndexOf('.')
  if (dot <= 0 || dot === member.length - 1 || /\s/.test(member)) return undefined
  const place = body.slice(open + 1, close)
  const colon = /^(.*):(\d{1,9})$/.exec(place)
  const file = colon ? (colon[1] ?? '') : place
  return {
    className: member.slice(0, dot),
    methodName: member.slice(dot + 1),
    file: /^(Native Method|Unknown Source|)$/.test(file) ? null : file,
    line: colon ? Number(colon[2]) : null,
  }
}
