import { type CrashException, emptyFrame, type ReadCrash, type ReportedFrame } from '../crash.ts'
import { readTrace } from '../android/java-trace.ts'
import { readReactNativeTrace } from '../javascript/stack-report.ts'
import { isObject, type JsonObject, toInteger, toList, toObject, toText } from '../json/json-value.ts'
import { maxExceptions, maxFrames } from '../limits.ts'
import type { LogHead } from './log-head.ts'
import { readLogThreads } from './log-threads.ts'

const longestMessage = 16_384

/** Reads an exception of Java, Kotlin, C# or JavaScript. The first inner exception of each one is its cause. */
export function readManagedError(log: JsonObject, head: LogHead): ReadCrash {
  const exceptions: CrashException[] = []
  let frames: ReportedFrame[] = []
  let exception: unknown = log['exception']
  let traceText: string | null = null
  while (isObject(exception) && exceptions.length < maxExceptions) {
    const { type, message, stackTrace, innerExceptions } = exception
    exceptions.push({ type: toText(type) ?? 'unknown', message: toText(message, longestMessage) })
    const own = toList(exception['frames'])
      .slice(0, maxFrames)
      .map((frame) => toFrame(toObject(frame)))
    if (own.length > 0) frames = own
    traceText = toText(stackTrace, 1_000_000) ?? traceText
    exception = toList(innerExceptions)[0]
  }
  if (frames.length === 0 && traceText !== null) frames = readTrace(traceText, { isTrace: true })?.frames ?? []
  const root = exceptions.at(-1)
  const script = root && readReactNativeTrace(`${root.type}: ${root.message}`)
  if (!script) return { ...head, exceptions, frames, images: [], threads: readLogThreads(log, frames, toFrame) }
  const outer = exceptions.slice(0, -1)
  const platform = 'javascript'
  return { ...head, platform, exceptions: [...outer, ...script.exceptions], frames: script.frames, images: [] }
}

function toFrame(frame: JsonObject): ReportedFrame {
  return {
    ...emptyFrame,
    className: toText(frame['className']),
    methodName: toText(frame['methodName']),
    file: toText(frame['fileName']),
    line: toInteger(frame['lineNumber']),
  }
}
