/**
 * Parser of tombstones as text: as the system writes them, or as a log shows them. Lines that are not known are kept
 * as they are.
 *
 *   pid: 8000, tid: 8009, name: Binder:8000_1  >>> org.example.app <<<
 *   signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x18
 *         #01 pc 0000000000006244  /data/app/…/base.apk!libatlas.so (offset 0x1c4000) (name+4) (BuildId: 94…00)
 */
import { findLogcatMessage } from '../android/trace/logcat-prefix.ts'
import { SymbolsError } from '../symbols-error.ts'
import { parseTombstoneFrame } from './tombstone-frame.ts'
import { type Tombstone, tombstoneLimits, type TombstoneThread } from './tombstone.ts'

const longestLine = 64 * 1024

/** A text that has one of these lines is a native crash, unless it has frames of Java outside of them. */
const frameStart = /^(?:[^\n]{0,200}\s)?#\d\d {1,8}pc [0-9a-f]{8}/m
const header = /^(?:[^\n]{0,200}\s)?pid: \d{1,10}, tid: \d{1,10}, name: /m
const javaFrame = /^(?:[^\n]{0,200}: )?\s{1,16}at [\w$.<>]{3,500}\((?:[^()\n]{1,200}:\d|Native Method|Unknown Source)/m

/** Whether a text is a tombstone, or a native crash in a log. */
export function looksLikeTombstone(text: string): boolean {
  if (!frameStart.test(text)) return false
  return header.test(text) || !javaFrame.test(text)
}

/** Throws `unknown-report` for a text with neither a frame nor a signal. */
export function parseTombstone(text: string): Tombstone {
  const tombstone: Tombstone = {
    architecture: null,
    fingerprint: null,
    pid: null,
    tid: null,
    signal: null,
    abortMessage: null,
    threads: [],
    lines: [],
    warnings: [],
  }
  const state: State = { tombstone, thread: undefined, frames: 0 }
  for (const line of text.split(/\r\n|\r|\n/)) readLine(state, line)
  const threads = tombstone.threads.filter(({ frames, tid }) => frames.length > 0 || tid === tombstone.tid)
  if (!threads.some(({ frames }) => frames.length > 0) && tombstone.signal === null) {
    throw new SymbolsError('unknown-report', 'It has neither a signal nor a frame of native code.')
  }
  if (state.frames > tombstoneLimits.frames) {
    tombstone.warnings.push(`Of its ${state.frames} frames, ${tombstoneLimits.frames} were read.`)
  }
  for (const thread of threads) thread.crashed = thread === threads[0]
  return { ...tombstone, threads }
}

/** A mail or another log may write a prefix before the lines with the frames and the thread; this matches it. */
const foreignPrefix = /^[^#\n]{0,200}?\s(?=#\d\d {1,8}pc |pid: \d{1,10}, tid: )/

interface State {
  tombstone: Tombstone
  thread: TombstoneThread | undefined
  frames: number
}

function readLine(state: State, line: string): void {
  const { tombstone } = state
  if (line.length > longestLine) {
    tombstone.lines.push(line)
    return
  }
  const text = line.slice(findLogcatMessage(line) ?? foreignPrefix.exec(line)?.[0].length ?? 0)
  const frame = parseTombstoneFrame(text, line)
  if (frame && ++state.frames <= tombstoneLimits.frames) {
    const thread = (state.thread ??= startThread(state, null, null))
    thread.frames.push(frame)
    tombstone.lines.push(frame)
    return
  }
  tombstone.lines.push(line)
  if (frame) return
  const head = /^\s{0,8}pid: (\d{1,10}), tid: (\d{1,10}), name: (.{0,200}?) {1,8}>>>/.exec(text)
  if (head) {
    tombstone.pid ??= Number(head[1])
    tombstone.tid ??= Number(head[2])
    state.thread = startThread(state, Number(head[2]), head[3] ?? null)
    return
  }
  readField(tombstone, text)
}

function startThread({ tombstone }: State, tid: number | null, name: string | null): TombstoneThread {
  const thread: TombstoneThread = { tid, name, crashed: false, frames: [] }
  if (tombstone.threads.length < tombstoneLimits.threads) tombstone.threads.push(thread)
  return thread
}

function readField(tombstone: Tombstone, text: string): void {
  const field = /^\s{0,8}(Build fingerprint|ABI|Abort message): ?'(.{0,4096})'\s*$/.exec(text)
  if (field) {
    const value = field[2] ?? ''
    if (field[1] === 'Build fingerprint') tombstone.fingerprint ??= value
    else if (field[1] === 'ABI') tombstone.architecture ??= value
    else tombstone.abortMessage ??= value
    return
  }
  const signal = /\bsignal \d{1,4} \((\w{1,30})\)(?:, code -?\d{1,10} \((\w{1,30}))?/i.exec(text)
  if (signal) tombstone.signal ??= { name: signal[1] ?? '', code: signal[2] ?? null }
}
