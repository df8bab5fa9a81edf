/** Reads Android's text reports: a Java trace with or without logcat's prefixes, an ANR thread dump, a tombstone. */
import { detectAndroidForm, findDumpArchitecture, parseDumpFrame, type TombstoneFrame } from '@fairlead/symbols'
import type { ReportedFrame } from '../crash.ts'
import type { AndroidReport } from './android-report.ts'
import { findProcess } from './find-process.ts'
import { maxFrames } from '../limits.ts'
import { readTombstoneText } from './tombstone.ts'
import { readFrame, readTrace, splitLines } from './java-trace.ts'
import { listLibraries, toNativeFrame } from './native-frame.ts'

/** Reads a report; undefined if the text is not one. */
export function readAndroidText(text: string): AndroidReport | undefined {
  const form = detectAndroidForm(text)
  if (form === 'native') return { ...readTombstoneText(text), osVersion: findOsVersion(text) }
  if (form === 'threads') return readThreadDump(text)
  return form === 'trace' ? readTraceText(text) : undefined
}

function readTraceText(text: string): AndroidReport | undefined {
  const trace = readTrace(text)
  return trace && { kind: 'crash', package: findProcess(text), osVersion: null, occurredAt: null, ...trace }
}

/** Finds the main thread of a dump, which is the one that did not respond. */
function readThreadDump(text: string): AndroidReport {
  const lines = splitLines(text)
  const main = lines.findIndex((line) => line.startsWith('"main" '))
  const start = main >= 0 ? main : lines.findIndex((line) => line.startsWith('"') && /\btid=1 /.test(line))
  const frames: ReportedFrame[] = []
  const native: TombstoneFrame[] = []
  for (const line of start < 0 ? [] : lines.slice(start + 1)) {
    if (frames.length >= maxFrames || line.trim() === '' || line.startsWith('"')) break
    const ofLibrary = parseDumpFrame(line)
    if (ofLibrary) native.push(ofLibrary)
    const frame = ofLibrary ? toNativeFrame(ofLibrary) : readFrame(line)
    if (frame) frames.push(frame)
  }
  const command = /^Cmd line: (\S{1,200})/m.exec(text)?.[1] ?? null
  const images = listLibraries(native, findDumpArchitecture(text))
  const osVersion = findOsVersion(text)
  return { kind: 'anr', package: command, osVersion, occurredAt: null, exceptions: [], frames, images }
}

/** Matches `Build fingerprint: 'google/oriole/oriole:13/TP1A…'`. */
function findOsVersion(text: string): string | null {
  return /Build fingerprint: '[^/'\n]{0,100}\/[^/'\n]{0,100}\/[^:'\n]{0,100}:([^/'\n]{1,40})\//.exec(text)?.[1] ?? null
}
