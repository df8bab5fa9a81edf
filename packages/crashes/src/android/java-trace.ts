import { type JavaFrame, parseJavaFrame, readJavaTrace } from '@fairlead/symbols'
import { type CrashException, emptyFrame, type ReportedFrame } from '../crash.ts'

export interface JavaTrace {
  exceptions: CrashException[]
  frames: ReportedFrame[]
}

/** Reads the first trace of a text; undefined if there is none. `isTrace` says that the text is nothing else. */
export function readTrace(text: string, options?: { isTrace: boolean }): JavaTrace | undefined {
  const trace = readJavaTrace(text, options)
  return trace && { exceptions: trace.exceptions, frames: trace.frames.map(toReportedFrame) }
}

export function readFrame(line: string): ReportedFrame | undefined {
  const frame = parseJavaFrame(line)
  return frame && toReportedFrame(frame)
}

function toReportedFrame(frame: JavaFrame): ReportedFrame {
  return { ...emptyFrame, ...frame }
}

export function splitLines(text: string): string[] {
  return text.split(/\r\n|\n|\r/)
}
