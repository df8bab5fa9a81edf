/** Reads Android's text reports: a Java trace with or without logcat's prefixes, an ANR thread dump, a tombstone. */
import { detectAndroidForm, findDumpArchitecture, parseDumpFrame, type TombstoneFrame } from '@fairlead/symbols'
import type { ReportedFrame } from '../crash.ts'
import type { AndroidReport } from './android-report.ts'
import { findProcess } from './find-process.ts'
import { maxFrames } from '../limits.ts'
import { readTombstoneText } from './tombstone.ts'
import { limitThreads } from '../stack/limit-threads.ts'
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

/** Reads the threads of a dump. The main thread is the one that did not respond. */
function readThreadDump(text: string): AndroidReport {
  const threads = listThreads(splitLines(text))
  const main = threads.find(({ name }) => name === 'main') ?? threads.find(({ id }) => id === '1')
  const all = main ? [main, ...threads.filter((thread) => thread !== main)] : threads
  const command = /^Cmd line: (\S{1,200})/m.exec(text)?.[1] ?? null
  return {
    kind: 'anr',
    package: command,
    osVersion: findOsVersion(text),
    occurredAt: null,
    exceptions: [],
    frames: main?.frames ?? [],
    images: listLibraries(
      all.flatMap(({ native }) => native),
      findDumpArchitecture(text),
    ),
    threads: limitThreads(
      all.map((thread) => {
        const { id, name, state, frames } = thread
        return { id, name, state, isCrashed: thread === main, frames }
      }),
    ),
  }
}

interface DumpedThread {
  id: string | null
  name: string | null
  state: string | null
  frames: ReportedFrame[]
  /** Those of the frames that lie in libraries. */
  native: TombstoneFrame[]
}

/** Each thread begins with a line such as `"main" daemon prio=5 tid=1 Blocked`, and ends with an empty line. */
function listThreads(lines: readonly string[]): DumpedThread[] {
  const threads: DumpedThread[] = []
  let open: DumpedThread | undefined
  for (const line of lines) {
    if (line.trim() === '' || line.startsWith('"')) {
      open = readThreadHead(line)
      if (open) threads.push(open)
      continue
    }
    if (!open || open.frames.length >= maxFrames) continue
    const ofLibrary = parseDumpFrame(line)
    if (ofLibrary) open.native.push(ofLibrary)
    const frame = ofLibrary ? toNativeFrame(ofLibrary) : readFrame(line)
    if (frame) open.frames.push(frame)
  }
  return threads
}

/** Reads the first line of a thread; undefined for another line. */
function readThreadHead(line: string): DumpedThread | undefined {
  const head = /^"([^"]{0,200})" (?:daemon )?(?:prio=\d{1,9} )?(?:tid=(\d{1,9}) ?)?(.{0,64})/.exec(line)
  if (!head) return undefined
  const [, name = null, id = null, state = ''] = head
  return { id, name, state: state.trim() || null, frames: [], native: [] }
}

/** Matches `Build fingerprint: 'google/oriole/oriole:13/TP1A…'`. */
function findOsVersion(text: string): string | null {
  return /Build fingerprint: '[^/'\n]{0,100}\/[^/'\n]{0,100}\/[^:'\n]{0,100}:([^/'\n]{1,40})\//.exec(text)?.[1] ?? null
}
