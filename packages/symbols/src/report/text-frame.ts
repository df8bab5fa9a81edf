/**
 * One frame of a text report, in one of these forms:
 *   `4   My Shop   0x0000000104d4c19c 0x104d48000 + 16796`
 *   `4   My Shop   0x0000000104d4c19c -[Cart add:] + 12 (Cart.m:7)`, where the place may be missing
 *   `  10  ??? (Shop + 16964) [0x104d4c244]` in samples, where the number counts samples
 * Lines are scanned by hand, because they come from outside and may be long.
 */
export interface TextFrame {
  index: number
  module: string
  address: bigint
  symbol: string | null
  file: string | null
  line: number | null
  /** Whether an earlier symbolication marked the frame as inlined. */
  isInlined: boolean
  /** Whether the line is from a sample, which lists the outermost frame first. */
  isSample: boolean
}

const longestLine = 8192

export function parseTextFrame(line: string): TextFrame | undefined {
  if (line.length > longestLine) return undefined
  const number = /^\s{0,200}(\d{1,6})\s/.exec(line)
  if (!number) return undefined
  const rest = line.slice(number[0].length).trim()
  const index = Number(number[1])
  return parseBacktraceFrame(index, rest) ?? parseSampleFrame(index, rest)
}

function parseBacktraceFrame(index: number, rest: string): TextFrame | undefined {
  const found = findAddress(rest)
  if (!found) return undefined
  const module = rest.slice(0, found.start).trim()
  if (module === '') return undefined
  return { index, module, address: found.address, isSample: false, ...parseWhere(rest.slice(found.end).trim()) }
}

/** Finds the first word that is a hexadecimal number. */
function findAddress(text: string): { start: number; end: number; address: bigint } | undefined {
  for (let start = text.indexOf('0x'); start >= 0; start = text.indexOf('0x', start + 2)) {
    let end = start + 2
    while (end < text.length && isHexDigit(text.charCodeAt(end))) end++
    const isWord =
      (start === 0 || isSpace(text.charCodeAt(start - 1))) && (end === text.length || isSpace(text.charCodeAt(end)))
    if (isWord && end - start > 2 && end - start <= 18) return { start, end, address: BigInt(text.slice(start, end)) }
  }
  return undefined
}

const inlinedMark = ' [inlined]'

/**
 * Parses the text behind the address. Xcode writes the mark of an inlined frame behind the source location, and we
 * write it before.
 */
function parseWhere(text: string): Pick<TextFrame, 'symbol' | 'file' | 'line' | 'isInlined'> {
  const unmarked = withoutMark(text)
  const place = /\(([^():]{1,1000}):(\d{1,9})(?::\d{1,9})?\)$|\(([^()]{1,1000}), compiler-generated\)$/.exec(unmarked)
  const named = place ? unmarked.slice(0, place.index).trimEnd() : unmarked
  const head = withoutMark(named)
  const plus = head.lastIndexOf(' + ')
  const symbol = withoutBase(plus >= 0 ? head.slice(0, plus) : head)
  const isBase = /^0x[0-9a-fA-F]{1,16}$/.test(symbol)
  return {
    symbol: isBase || symbol === '' || symbol === '???' ? null : symbol,
    file: place?.[1] ?? place?.[3] ?? null,
    line: place ? Number(place[2] ?? 0) : null,
    isInlined: unmarked !== text || head !== named,
  }
}

/** KSCrash writes `0x35095000 + 11418 (objc_msgSend + 10)`: the address of the image, which changes, and the name. */
function withoutBase(symbol: string): string {
  return /^0x[0-9a-f]{1,16} \+ \d{1,12} \((.+)$/.exec(symbol)?.[1] ?? symbol
}

function withoutMark(text: string): string {
  return text.endsWith(inlinedMark) ? text.slice(0, -inlinedMark.length) : text
}

function parseSampleFrame(index: number, rest: string): TextFrame | undefined {
  if (!rest.endsWith(']')) return undefined
  const bracket = rest.lastIndexOf('[0x')
  const open = rest.lastIndexOf('(', bracket)
  const close = rest.indexOf(')', open)
  const digits = rest.slice(bracket + 3, -1)
  if (bracket < 0 || open < 0 || close < 0 || !/^[0-9a-fA-F]{1,16}$/.test(digits)) return undefined
  const inside = rest.slice(open + 1, close)
  const plus = inside.lastIndexOf(' + ')
  const symbol = rest.slice(0, open).trim()
  return {
    index,
    module: plus >= 0 ? inside.slice(0, plus) : inside,
    address: BigInt(`0x${digits}`),
    symbol: symbol === '???' || symbol === '' ? null : symbol,
    file: null,
    line: null,
    isInlined: false,
    isSample: true,
  }
}

function isHexDigit(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102)
}

function isSpace(code: number): boolean {
  return code === 32 || code === 9
}
