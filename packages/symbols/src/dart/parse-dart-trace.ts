/**
 * Parser of the traces of Dart programs whose symbols were split off:
 *
 *   *** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***
 *   pid: 4625, tid: 15939, name 1.ui
 *   os: android arch: arm64 comp: yes sim: no
 *   build_id: '07cc131ca803c124e93268ce19322737'
 *   isolate_dso_base: 73fcb000, vm_dso_base: 73fcb000
 *   isolate_instructions: 740f3aa0, vm_instructions: 740ef000
 *       #00 abs 000000007415bbf7 virt 0000000000190bf7 _kDartIsolateSnapshotInstructions+0x68157
 *   <asynchronous suspension>
 *
 * Older programs print no `os:`, no `virt` and no build id; signal handlers print `isolate_instructions=…
 * vm_instructions=…`. Lines that are not known are kept as they are.
 */
import { SymbolsError } from '../symbols-error.ts'
import {
  type DartFrame,
  dartLimits,
  type DartPlace,
  type DartStarts,
  type DartThread,
  type DartTrace,
} from './dart-trace.ts'

const longestLine = 8192

const anyFrame = /#\d{2,5} abs [0-9a-f]/
const frameLine = / {0,4}#\d{2,5} abs ([0-9a-f]{1,400})(?: virt (-?[0-9a-f]{1,400}))?(?: (.{0,4096}))?$/
const symbolOffset = /(_kDartVmSnapshotInstructions|_kDartIsolateSnapshotInstructions)\+(0x)?([0-9a-f]{1,400})/
const startsLine = /isolate_instructions(?:=|: )([0-9a-f]{1,400}),? vm_instructions(?:=|: )([0-9a-f]{1,400})/
const separator = /\*\*\* \*\*\* \*\*\* \*\*\* \*\*\* \*\*\* \*\*\* \*\*\*/

/** Whether a line says where the code began in memory. */
export function isStartsLine(line: string): boolean {
  return startsLine.test(line)
}

/** Whether a text holds a frame of such a trace. */
export function looksLikeDartTrace(text: string): boolean {
  return anyFrame.test(text)
}

interface State {
  trace: DartTrace
  thread: DartThread | undefined
  starts: DartStarts | undefined
  frames: number
}

/** Throws `unknown-report` for a text without any frame. */
export function parseDartTrace(text: string): DartTrace {
  const state: State = {
    trace: { threads: [], lines: [], warnings: [] },
    thread: undefined,
    starts: undefined,
    frames: 0,
  }
  for (const line of text.split(/\r\n|\r|\n/)) readLine(state, line)
  const { trace, frames } = state
  if (frames === 0) throw new SymbolsError('unknown-report', 'It has no frame of Dart.')
  if (frames > dartLimits.frames) trace.warnings.push(`Of its ${frames} frames, ${dartLimits.frames} were read.`)
  return { ...trace, threads: trace.threads.filter((thread) => thread.frames.length > 0) }
}

function readLine(state: State, line: string): void {
  const { trace } = state
  const frame = line.length > longestLine ? undefined : readFrame(state, line)
  if (frame && ++state.frames <= dartLimits.frames) {
    frame.thread.frames.push(frame)
    trace.lines.push(frame)
    return
  }
  trace.lines.push(line)
  if (!frame && line.length <= longestLine) readHead(state, line)
}

function readFrame(state: State, raw: string): DartFrame | undefined {
  const found = frameLine.exec(raw)
  if (!found) return undefined
  return {
    thread: (state.thread ??= startThread(state)),
    address: toNumber(found[1]),
    fileAddress: toNumber(found[2]),
    place: readPlace(found[3] ?? ''),
    starts: state.starts,
    prefix: raw.slice(0, found.index),
    raw,
  }
}

function readPlace(rest: string): DartPlace | undefined {
  const found = symbolOffset.exec(rest)
  if (!found) return undefined
  const [, symbol, mark, digits = ''] = found
  const offset = mark === undefined && /^\d+$/.test(digits) ? toNumber(digits, 10) : toNumber(digits)
  if (offset === undefined) return undefined
  return { section: symbol === '_kDartVmSnapshotInstructions' ? 'vm' : 'isolate', offset }
}

/** Reads what stands before the frames of a trace. */
function readHead(state: State, line: string): void {
  if (separator.test(line)) {
    state.thread = undefined
    state.starts = undefined
    return
  }
  const starts = startsLine.exec(line)
  if (starts) {
    const [isolate, vm] = [toNumber(starts[1]), toNumber(starts[2])]
    state.starts = isolate === undefined || vm === undefined ? undefined : { isolate, vm }
    return
  }
  const process = /\bpid: \d{1,10}, tid: \d{1,20}, name (.{1,200})$/.exec(line)
  const system = /\bos: (\w{1,20}) arch: (\w{1,20})/.exec(line)
  const buildId = /\bbuild_id: '([0-9a-f]{1,1000})'/i.exec(line)?.[1]?.toLowerCase()
  if (!process && !system && buildId === undefined) return
  // A trace whose separator was lost in a log begins with the first line that a trace begins with.
  if (state.thread && state.thread.frames.length > 0) state.starts = state.thread = undefined
  const thread = (state.thread ??= startThread(state))
  if (process) thread.name = process[1]?.trim() ?? null
  if (system) {
    thread.system = system[1] ?? null
    thread.architecture = toArchitecture(system[2] ?? '')
  }
  const isUsable = buildId !== undefined && buildId.length % 2 === 0 && buildId.length <= dartLimits.buildIdLength
  if (isUsable) thread.buildId = buildId
}

function startThread({ trace }: State): DartThread {
  const thread: DartThread = { name: null, buildId: null, architecture: null, system: null, frames: [] }
  if (trace.threads.length < dartLimits.threads) trace.threads.push(thread)
  return thread
}

/** The names that Dart has for architectures, as ELF files have them. */
function toArchitecture(name: string): string {
  const known: Record<string, string> = { x64: 'x86_64', ia32: 'x86' }
  return known[name] ?? name
}

/** A number that is no address, because it is negative or too large, is undefined. */
function toNumber(digits: string | undefined, radix: 10 | 16 = 16): number | undefined {
  if (digits === undefined || digits.startsWith('-')) return undefined
  const value = Number.parseInt(digits, radix)
  return Number.isSafeInteger(value) ? value : undefined
}
