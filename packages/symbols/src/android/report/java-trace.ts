/**
 * Reads the stack trace of a crash as Java prints it, and as logcat, Play Console and Crashlytics write it:
 *
 *     java.lang.IllegalStateException: no wallet        Exception java.lang.IllegalStateException: no wallet
 *     	at com.example.Shop.pay(Shop.java:12)              at com.example.Shop.pay (Shop.java:12)
 *     Caused by: ab: gone                               Caused by ab: gone
 *
 * R8 moves classes to the root package (`-repackageclasses ''`), so a class need not have a dot in its name.
 */
import { findLogcatMessage } from '../trace/logcat-prefix.ts'
import { type JavaFrame, parseJavaFrame } from './java-frame.ts'
import { findMarkedException, isThreadHeading, parseException } from './java-heading.ts'

export interface JavaException {
  type: string
  message: string | null
}

export interface JavaTrace {
  /** Outermost first. Empty when the text has frames only. */
  exceptions: JavaException[]
  /** The frames of the innermost exception that has any, innermost first. */
  frames: JavaFrame[]
}

export interface JavaTraceOptions {
  /** Whether the text is known to be a trace, so that its first line is an exception whatever its name. */
  isTrace?: boolean
}

/** The most exceptions of a chain and frames of a trace that are read. */
const maxExceptions = 100
const maxFrames = 20_000
const longestMessage = 16_384

/**
 * Reads the first trace of a text; undefined if it has neither a frame nor an exception. The trace of an exception
 * omits the frames that it shares with its cause's. Suppressed exceptions and `... n more` are skipped.
 */
export function readJavaTrace(text: string, { isTrace = false }: JavaTraceOptions = {}): JavaTrace | undefined {
  const lines = listLines(text)
  const firstFrame = lines.findIndex((line) => parseJavaFrame(line) !== undefined)
  const start = findStart(lines, firstFrame, isTrace)
  if (start === undefined) return undefined
  const chain: { exception: JavaException | undefined; frames: JavaFrame[] }[] = []
  let frameCount = 0
  for (const { line, role } of listTraceLines(lines.slice(start))) {
    if (role === 'frame') {
      const frame = parseJavaFrame(line)
      if (frame && chain.length === 0) chain.push({ exception: undefined, frames: [] })
      if (frame && ++frameCount <= maxFrames) chain.at(-1)?.frames.push(frame)
      continue
    }
    const exception = parseException(line, role === 'first')
    if (!exception || chain.length === maxExceptions) continue
    chain.push({
      exception: { ...exception, message: exception.message?.slice(0, longestMessage) || null },
      frames: [],
    })
  }
  const exceptions = chain.flatMap(({ exception }) => exception ?? [])
  return { exceptions, frames: chain.findLast(({ frames }) => frames.length > 0)?.frames ?? [] }
}

/** Lines without the prefixes of logcat. Where the runtime reports a crash, the messages of others are left out. */
function listLines(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/).map(removeQuoteMarks)
  const hasRuntime = lines.some((line) => isOfRuntime(line, findLogcatMessage(line)))
  return lines.flatMap((line) => {
    const at = findLogcatMessage(line)
    const message = line.slice(at ?? 0)
    return (hasRuntime && at !== undefined && !isOfRuntime(line, at)) || runtimeLine.test(message) ? [] : [message]
  })
}

/** Removes what a mail writes before the lines that it quotes, and the indentation of a log. */
function removeQuoteMarks(line: string): string {
  const unquoted = line.replace(/^\s{0,40}(?:> ?){1,40}/, '')
  const unindented = unquoted.trimStart()
  return findLogcatMessage(unindented) === undefined ? unquoted : unindented
}

/** What the runtime writes between its heading and the exception. */
const runtimeLine = /^(?:Process: [^,]{1,300}, PID: \d+|PID: \d+|Shutting down VM|-+ beginning of )/

function isOfRuntime(line: string, messageAt: number | undefined): boolean {
  return messageAt !== undefined && line.slice(0, messageAt).includes('AndroidRuntime')
}

/**
 * Finds the line of the outermost exception: one with a heading, else the first one with a qualified name, else one
 * without a package that stands before the first frame. Several lines of message may follow it.
 */
function findStart(lines: readonly string[], firstFrame: number, isTrace: boolean): number | undefined {
  const head = firstFrame < 0 ? lines : lines.slice(0, firstFrame)
  const firstText = head.findIndex((line) => line.trim() !== '')
  if (isTrace && firstText >= 0 && parseException(lines[firstText] ?? '', true)) return firstText
  const marked = head.findIndex((line) => findMarkedException(line) !== undefined)
  if (marked >= 0) return marked
  const hasFrames = firstFrame >= 0
  const qualified = head.findIndex((line) => isQualified(line, hasFrames))
  if (qualified >= 0) return qualified
  if (!hasFrames) return undefined
  const isBare = (line: string) => parseException(line, true)?.message !== undefined
  const beforeFrame = firstFrame - 1
  if (beforeFrame >= 0 && parseException(lines[beforeFrame] ?? '', true)) {
    // The line before the first frame may be the last one of a message that begins with a name and a colon as well.
    const block = head.findLastIndex((line) => line.trim() === '') + 1
    const first = lines.slice(block, firstFrame).findIndex(isBare)
    return first < 0 ? beforeFrame : block + first
  }
  const bare = head.findIndex(isBare)
  return bare < 0 ? firstFrame : bare
}

/** A name with a dot. Without frames it must be named like an exception, because a host name has dots, too. */
function isQualified(line: string, hasFrames: boolean): boolean {
  const type = parseException(line, true)?.type
  if (type === undefined || !/[^.]\.[^.]/.test(type)) return false
  return hasFrames || /(?:Exception|Error|Throwable|Failure)$/.test(type)
}

interface TraceLine {
  line: string
  role: 'first' | 'cause' | 'frame'
}

/** The lines of the first trace that matter. `lines` begin with its outermost exception or its first frame. */
function* listTraceLines(lines: readonly string[]): Generator<TraceLine> {
  let hasFrames = false
  /** The indentation of the suppressed exception whose lines are being skipped. */
  let suppressedIndent: number | undefined
  for (const [place, line] of lines.entries()) {
    const body = line.trim()
    const indent = line.length - line.trimStart().length
    if (suppressedIndent !== undefined && (body === '' || indent > suppressedIndent)) continue
    suppressedIndent = undefined
    if (parseJavaFrame(body)) {
      hasFrames = true
      yield { line: body, role: 'frame' }
    } else if (body.startsWith('Suppressed: ')) suppressedIndent = indent
    else if (/^Caused by:? /.test(body)) yield { line: body, role: 'cause' }
    else if (place === 0) yield { line: body, role: 'first' }
    else if (hasFrames && beginsTrace(body, lines[place + 1])) return
  }
}

/** Whether another trace begins here. */
function beginsTrace(body: string, next: string | undefined): boolean {
  if (isThreadHeading(body)) return true
  return parseException(body, true) !== undefined && next !== undefined && parseJavaFrame(next) !== undefined
}
