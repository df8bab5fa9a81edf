import { findLogcatMessage } from '../android/trace/logcat-prefix.ts'
import { maxFrames } from '../report/limits.ts'
import { SymbolsError } from '../symbols-error.ts'
import { type JavaScriptFrame, parseJavaScriptFrame } from './parse-frame.ts'

export interface JavaScriptStack {
  /** What was thrown, of the last stack that has frames; null if the text does not say. */
  type: string | null
  message: string | null
  /** Innermost first. */
  frames: JavaScriptFrame[]
  /** The lines of the text, in order; a frame stands for its own. */
  lines: (string | JavaScriptFrame)[]
  /** Whether React Native on Android reported the error, by an exception of Java whose message has the stack. */
  isReactNative: boolean
  warnings: string[]
}

/** It ends the app for an error of JavaScript. The frames of Java behind it only tell that. */
const reactNativeException = 'com.facebook.react.common.JavascriptException: '

const longestLine = 64 * 1024
const longestMessage = 16_384
/** Lines that are looked at to tell what a text is. */
const maxDetected = 2000

/** A frame of Java names one number, `Shop.java:12`, and one of JavaScript two. */
const javaFrame =
  /^\s{0,40}at [\w$.<>/@ -]{3,500}\((?:[^()\n]{1,200}\.(?:java|kt|scala|groovy):\d+|Native Method|Unknown Source)\)/

/** Whether a text is a stack of JavaScript: it has a frame with a place, and none of Java but those of React Native. */
export function looksLikeJavaScript(text: string): boolean {
  let isFound = false
  let isReactNative = false
  let seen = 0
  for (const line of listLines(text)) {
    if (++seen > maxDetected) break
    if (line.length > longestLine) continue
    const message = line.slice(findLogcatMessage(line) ?? 0)
    isReactNative ||= message.includes(reactNativeException)
    if (!isReactNative && javaFrame.test(message)) return false
    isFound ||= typeof parseJavaScriptFrame(message, line)?.line === 'number'
  }
  return isFound
}

/** Throws `unknown-report` for a text without frames. */
export function parseJavaScriptStack(text: string): JavaScriptStack {
  const stack: JavaScriptStack = {
    type: null,
    message: null,
    frames: [],
    lines: [],
    isReactNative: false,
    warnings: [],
  }
  let count = 0
  let heading: string[] = []
  for (const line of listLines(text)) {
    const message = line.slice(line.length > longestLine ? 0 : (findLogcatMessage(line) ?? 0))
    stack.isReactNative ||= stack.frames.length === 0 && message.includes(reactNativeException)
    const parsed = line.length > longestLine ? undefined : parseJavaScriptFrame(message, line)
    const frame = parsed && stack.isReactNative ? countFromOne(parsed) : parsed
    if (!frame || ++count > maxFrames) {
      stack.lines.push(line)
      if (stack.frames.length === 0) heading.push(message)
      continue
    }
    stack.frames.push(frame)
    stack.lines.push(frame)
  }
  if (stack.frames.length === 0) throw new SymbolsError('unknown-report', 'It has no frame of JavaScript.')
  if (count > maxFrames) stack.warnings.push(`Of its ${count} frames, ${maxFrames} were read.`)
  heading = heading.slice(-20)
  return { ...stack, ...readHeading(heading) }
}

/** React Native counts the columns that it prints from 0. */
function countFromOne(frame: JavaScriptFrame): JavaScriptFrame {
  return { ...frame, column: frame.column === null ? null : frame.column + 1 }
}

/**
 * Reads `TypeError: gone`, behind words such as `Uncaught` of a log or the exception of React Native, which ends with
 * `, js engine: hermes, stack:`. The message may have several lines.
 */
function readHeading(lines: readonly string[]): { type: string | null; message: string | null } {
  for (let at = lines.length - 1; at >= 0; at--) {
    const found =
      /^\s{0,40}(?:Uncaught (?:\(in promise\) )?)?([A-Za-z_$][\w$.]{0,200}(?:Error|Exception)|Error)(?:: (.*))?$/.exec(
        (lines[at] ?? '').replace(reactNativeException, '').slice(0, longestMessage),
      )
    if (!found) continue
    const message = [found[2] ?? '', ...lines.slice(at + 1)].join('\n').trim().slice(0, longestMessage)
    const told = message.replace(/(?:, js engine: \w{1,40})?, stack:$/, '')
    return { type: found[1] ?? null, message: told === '' ? null : told }
  }
  return { type: null, message: null }
}

function listLines(text: string): string[] {
  return text.split(/\r\n|\r|\n/)
}
