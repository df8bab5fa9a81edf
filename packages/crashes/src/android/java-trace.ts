/**
 * Reads a stack trace as Java prints it. The trace of an exception omits the frames that it shares with its cause's.
 */
import { type CrashException, emptyFrame, type ReportedFrame } from '../crash.ts'
import { maxExceptions, maxFrames } from '../limits.ts'

export interface JavaTrace {
  exceptions: CrashException[]
  /** The frames of the innermost exception that has any. */
  frames: ReportedFrame[]
}

const longestLine = 4096
const longestMessage = 16_384
const className = String.raw`(?:[\w$-]{1,200}\.){1,40}[\w$-]{1,200}`
/** Matches an exception: alone on its line, or followed by a colon and its message. */
const exceptionLine = new RegExp(String.raw`^(${className})(?::\s?(.*))?$`, 's')

/** Reads the first trace of a text. Suppressed exceptions and `... n more` are skipped. */
export function readJavaTrace(text: string): JavaTrace {
  const chain: { exception: CrashException; frames: ReportedFrame[] }[] = []
  /** The indentation of the suppressed exception whose lines are being skipped. */
  let suppressedIndent: number | undefined
  let frameCount = 0
  for (const line of splitLines(text)) {
    const body = line.trim()
    const indent = line.length - line.trimStart().length
    if (suppressedIndent !== undefined && (body === '' || indent > suppressedIndent)) continue
    suppressedIndent = undefined
    const frame = parseJavaFrame(body)
    if (frame) {
      if (chain.length > 0 && ++frameCount <= maxFrames) chain.at(-1)?.frames.push(frame)
      continue
    }
    if (body.startsWith('Suppressed: ')) {
      suppressedIndent = indent
      continue
    }
    const isCause = body.startsWith('Caused by: ')
    if (!isCause && chain.length > 0) continue
    const head = exceptionLine.exec(isCause ? body.slice('Caused by: '.length) : body)
    if (!head || chain.length === maxExceptions) continue
    const message = head[2]?.slice(0, longestMessage)
    chain.push({ exception: { type: head[1] ?? '', message: message || null }, frames: [] })
  }
  return {
    exceptions: chain.map(({ exception }) => exception),
    frames: chain.findLast(({ frames }) => frames.length > 0)?.frames ?? [],
  }
}

/** Matches `at com.example.Shop.pay(Shop.java:12)`, with or without a class loader or module before the class. */
export function parseJavaFrame(line: string): ReportedFrame | undefined {
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
    ...emptyFrame,
    className: member.slice(0, dot),
    methodName: member.slice(dot + 1),
    file: /^(Native Method|Unknown Source|)$/.test(file) ? null : file,
    line: colon ? Number(colon[2]) : null,
  }
}

export function splitLines(text: string): string[] {
  return text.split(/\r\n|\n|\r/)
}
