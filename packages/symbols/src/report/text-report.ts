/**
 * Reader of crash reports that are text: the legacy `.crash`, the exports of Xcode and Console, and the body of `.ips`
 * reports of sampled stacks. Only sections with frames or images are parsed; all other lines stay as they are.
 */
import type { CrashReport, ReportFrame, ReportImage, ReportThread } from './crash-report.ts'
import { maxFrames, maxImages, maxThreads } from './limits.ts'
import { ImagePlaces, placeFrame } from './place-frames.ts'
import { parseTextFrame, type TextFrame } from './text-frame.ts'
import { parseTextImage, toArchitecture } from './text-image.ts'

interface Placed {
  frame: ReportFrame
  address: bigint
}

interface State {
  report: CrashReport
  placed: Placed[]
  thread: ReportThread | undefined
  /** Names of threads by their numbers. They stand on a line of their own before the thread. */
  names: Map<number, string>
  /** Frames, threads and images that the report has, those beyond the limits included. */
  frameCount: number
  threadCount: number
  imageCount: number
  architecture: string | null
  section: 'none' | 'frames' | 'addresses' | 'images'
}

export function parseTextReport(text: string): CrashReport {
  const state: State = {
    report: { images: [], threads: [], lines: [], warnings: [] },
    placed: [],
    thread: undefined,
    names: new Map(),
    frameCount: 0,
    threadCount: 0,
    imageCount: 0,
    architecture: null,
    section: 'none',
  }
  for (const line of text.split(/\r\n|\n|\r/)) readLine(line, state)
  finishThreads(state.report.threads)
  placeFrames(state)
  warnOfLimits(state)
  return state.report
}

function readLine(line: string, state: State): void {
  const { report } = state
  const codeType = /^Code Type:\s{0,40}(.{1,80})/.exec(line)
  if (codeType) state.architecture = toArchitecture(codeType[1] ?? '')
  if (startSection(line, state)) return void report.lines.push(line)
  if (state.section === 'images') {
    const image = parseTextImage(line, state.architecture)
    if (image && ++state.imageCount <= maxImages) report.images.push(image)
    return void report.lines.push(line)
  }
  if (state.section === 'addresses' && readAddresses(line, state)) return
  const { thread } = state
  const frame = thread && parseTextFrame(line)
  if (thread && frame && state.frameCount++ < maxFrames) report.lines.push(addFrame(state, thread, line, frame))
  else report.lines.push(line)
}

/** Starts a section if the line is the head of one, and returns whether it is. */
function startSection(line: string, state: State): boolean {
  const name = /^Thread (\d{1,6}) name:\s{0,10}(.{0,500})/.exec(line)
  if (name) {
    state.names.set(Number(name[1]), (name[2] ?? '').trim())
    return true
  }
  const thread = /^Thread (\d{1,6})( Crashed)?:{1,2}(.{0,500})$/.exec(line)
  if (thread) {
    const given = (thread[3] ?? '').trim()
    const title = given === '' ? (state.names.get(Number(thread[1])) ?? null) : given
    startThread(state, title, thread[2] !== undefined, 'frames')
    return true
  }
  if (line.startsWith('Last Exception Backtrace:')) {
    startThread(state, 'Last Exception Backtrace', false, 'addresses')
    return true
  }
  const backtrace = /^((?:Application Specific Backtrace|Heaviest stack|Primary state).{0,200}):\s{0,10}$/.exec(line)
  if (backtrace) {
    startThread(state, backtrace[1] ?? null, false, 'frames')
    return true
  }
  if (line.startsWith('Binary Images:')) {
    state.section = 'images'
    state.thread = undefined
    return true
  }
  return false
}

function startThread(state: State, name: string | null, crashed: boolean, section: State['section']): void {
  const isKept = ++state.threadCount <= maxThreads
  state.thread = isKept ? { name, crashed, frames: [] } : undefined
  if (state.thread) state.report.threads.push(state.thread)
  state.section = isKept ? section : 'none'
}

/**
 * Reads addresses in parentheses, on one line or on several. Each address becomes a line of its own; once the report
 * has too many frames, the line stays as it is and its addresses are only counted.
 */
function readAddresses(line: string, state: State): boolean {
  const trimmed = line.trim()
  if (!trimmed.startsWith('(') && !trimmed.startsWith('0x')) return false
  let end = 0
  for (const { 0: word, index } of trimmed.matchAll(/(?<![^\s()])0x[0-9a-fA-F]{1,16}(?![^\s()])/g)) {
    if (state.frameCount++ >= maxFrames) continue
    pushAddress(word, state)
    end = index + word.length
  }
  if (state.frameCount > maxFrames) state.report.lines.push(trimmed.slice(end))
  return true
}

function pushAddress(word: string, state: State): void {
  const { thread, report } = state
  if (!thread) return
  const index = thread.frames.length
  const raw = `${String(index).padEnd(3)} ${'???'.padEnd(30)}\t${word}`
  const nothing = { module: '', symbol: null, file: null, line: null, isInlined: false, isSample: false }
  report.lines.push(addFrame(state, thread, raw, { index, address: BigInt(word), ...nothing }))
}

function addFrame(state: State, thread: ReportThread, raw: string, parsed: TextFrame): ReportFrame {
  const { index, module, address, symbol, file, line, isInlined, isSample } = parsed
  const before = thread.frames.at(-1)
  // A frame that was inlined into the one that the thread stopped in has the same address, which is no return address.
  const isCaller = before ? !before.isInlined || before.isReturnAddress : !thread.crashed
  const frame: ReportFrame = {
    index,
    image: undefined,
    module: module === '' ? null : module,
    address: undefined,
    offset: undefined,
    isReturnAddress: isSample || isCaller,
    isInlined,
    symbol,
    file,
    line,
    raw,
  }
  thread.frames.push(frame)
  state.placed.push({ frame, address })
  return frame
}

/**
 * Puts threads and frames into the order of the answer. A heaviest stack lists the outermost frame first, and its
 * innermost frame is where the sample was taken. The backtrace of the last exception stands before the threads in the
 * text, and after them in the list, so that threads keep their numbers.
 */
function finishThreads(threads: ReportThread[]): void {
  const exception = threads.findIndex(({ name }) => name === 'Last Exception Backtrace')
  if (exception >= 0) threads.push(...threads.splice(exception, 1))
  for (const thread of threads) {
    if (!thread.name?.startsWith('Heaviest stack')) continue
    thread.frames.reverse()
    const innermost = thread.frames[0]
    if (innermost) innermost.isReturnAddress = false
  }
}

function placeFrames({ report, placed }: State): void {
  const places = new ImagePlaces(report.images.filter(isUsable))
  for (const { frame, address } of placed) placeFrame(frame, address, places)
}

/** Images with an impossible range that are named; further ones are only counted. */
const maxNamedImages = 20

function warnOfLimits({ report, placed, threadCount, imageCount, frameCount }: State): void {
  const { images, warnings } = report
  const unusable = images.filter((image) => !isUsable(image))
  for (const { name } of unusable.slice(0, maxNamedImages)) {
    warnings.push(`The image ${name} has an impossible range of addresses.`)
  }
  if (unusable.length > maxNamedImages) {
    warnings.push(`${unusable.length - maxNamedImages} further images have an impossible range of addresses.`)
  }
  if (threadCount === 0) warnings.push('The report holds no threads.')
  if (images.length === 0 && placed.length > 0) {
    warnings.push('The report lists no binary images, so its frames cannot be matched with any.')
  }
  const warnOf = (count: number, limit: number, things: string) => {
    if (count <= limit) return
    warnings.push(`The report has ${count} ${things}; those after the first ${limit} are left as they are.`)
  }
  warnOf(threadCount, maxThreads, 'threads')
  warnOf(imageCount, maxImages, 'images')
  warnOf(frameCount, maxFrames, 'frames')
}

function isUsable({ base, end }: ReportImage): boolean {
  return Number.isSafeInteger(base) && base < end
}
