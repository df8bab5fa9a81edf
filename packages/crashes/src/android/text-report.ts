/** Reads Android's text reports: a Java trace with or without logcat's prefixes, an ANR thread dump, a tombstone. */
import type { ReadCrash, ReportedFrame } from '../crash.ts'
import { maxFrames } from '../limits.ts'
import { parseJavaFrame, readJavaTrace, splitLines } from './java-trace.ts'
import { parseNativeFrame } from './native-frame.ts'

type AndroidReport = Pick<ReadCrash, 'kind' | 'package' | 'osVersion' | 'occurredAt' | 'exceptions' | 'frames'>

const logcatPrefix = /^(?:[VDIWEF]\/AndroidRuntime\s*\(\s*\d+\):\s?|.{0,200}?\bAndroidRuntime: )/
const logcatHeading = /^(FATAL EXCEPTION|Process: |PID: |-+ beginning of|Shutting down VM)/

/** Reads a report; undefined if the text is not one. */
export function readAndroidText(text: string): AndroidReport | undefined {
  if (/^\s*#00 pc |backtrace:\s*$/m.test(text) && /signal \d{1,4} \(\w{1,40}\)/.test(text)) return readTombstone(text)
  if (/^-----? pid \d{1,10} at |^"main" prio=/m.test(text)) return readThreadDump(text)
  return readTraceText(text)
}

function readTraceText(text: string): AndroidReport | undefined {
  const lines = splitLines(text).map((line) => line.replace(logcatPrefix, ''))
  const packageName = lines.map((line) => /^Process: ([\w.]{1,200}), PID/.exec(line)?.[1]).find(Boolean) ?? null
  const trace = readJavaTrace(lines.filter((line) => !logcatHeading.test(line)).join('\n'))
  if (trace.exceptions.length === 0) return undefined
  return { kind: 'crash', package: packageName, osVersion: null, occurredAt: null, ...trace }
}

/** Finds the main thread of a dump, which is the one that did not respond. */
function readThreadDump(text: string): AndroidReport {
  const lines = splitLines(text)
  const main = lines.findIndex((line) => line.startsWith('"main" '))
  const start = main >= 0 ? main : lines.findIndex((line) => line.startsWith('"') && /\btid=1 /.test(line))
  const frames: ReportedFrame[] = []
  for (const line of start >= 0 ? lines.slice(start + 1) : []) {
    if (frames.length === maxFrames || line.trim() === '' || line.startsWith('"')) break
    const frame = parseJavaFrame(line) ?? (/^\s*(?:native:\s*)?#\d/.test(line) ? parseNativeFrame(line) : undefined)
    if (frame) frames.push(frame)
  }
  const command = /^Cmd line: (\S{1,200})/m.exec(text)?.[1] ?? null
  return { kind: 'anr', package: command, osVersion: findOsVersion(text), occurredAt: null, exceptions: [], frames }
}

function readTombstone(text: string): AndroidReport {
  const signal = /signal \d{1,4} \((\w{1,40})\)/.exec(text)?.[1]
  const process = />>> (\S{1,200}) <<</.exec(text)?.[1]
  const abort = /^Abort message: '(.{0,4000})'/m.exec(text)?.[1] ?? null
  return {
    kind: 'crash',
    package: process?.includes('.') === true && !process.includes('/') ? process : null,
    osVersion: findOsVersion(text),
    occurredAt: null,
    exceptions: signal === undefined ? [] : [{ type: signal, message: abort }],
    frames: readBacktrace(text),
  }
}

function readBacktrace(text: string): ReportedFrame[] {
  const frames: ReportedFrame[] = []
  let hasBegun = false
  for (const line of splitLines(text)) {
    if (!hasBegun) {
      hasBegun = line.includes('backtrace:')
      continue
    }
    const frame = parseNativeFrame(line)
    if (frame) frames.push(frame)
    else if (frames.length > 0 && !/^\s*note/i.test(line)) break
    if (frames.length === maxFrames) break
  }
  return frames
}

/** Matches `Build fingerprint: 'google/oriole/oriole:13/TP1A…'`. */
function findOsVersion(text: string): string | null {
  return /Build fingerprint: '[^/'\n]{0,100}\/[^/'\n]{0,100}\/[^:'\n]{0,100}:([^/'\n]{1,40})\//.exec(text)?.[1] ?? null
}
