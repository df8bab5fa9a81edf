/**
 * A crash report as text: the legacy `.crash`, what Xcode and Console export, and the body of `.ips` reports of sampled stacks.
 * Sections follow one another; only those with frames or images matter, the rest is passed on as it is.
 */
import { type CrashReport, type ReportFrame, type ReportImage, type ReportThread } from './crash-report.ts'
import { maxFrames } from './limits.ts'
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
  /** Names of threads, which stand on a line before the thread itself. */
  names: Map<number, string>
  frameCount: number
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
    architecture: null,
    section: 'none',
  }
  for (const line of text.split(/\r\n|\n|\r/)) readLine(line, state)
  finishThreads(state.report.threads)
  place(state)
  return state.report
}

function readLine(line: string, state: State): void {
  const { report } = state
  const codeType = /^Code Type:\s{0,40}(.{1,80})/.exec(line)
  if (codeType) state.architecture = toArchitecture(codeType[1] ?? '')
  if (startSection(line, state)) return void report.lines.push(line)
  if (state.section === 'images') {
    const image = parseTextImage(line, state.architecture)
    if (image) report.images.push(image)
    return void report.lines.push(line)
  }
  if (state.section === 'addresses' && readAddresses(line, state)) return
  const frame = state.section === 'frames' || state.section === 'addresses' ? parseTextFrame(line) : undefined
  report.lines.push(frame && pushFrame(state, line, frame) ? lastFrame(state) : line)
}

/** Whether the line starts a section, by the words that Apple's reports use. */
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
  state.thread = { name, crashed, frames: [] }
  state.report.threads.push(state.thread)
  state.section = section
}

/** Addresses in parentheses, on one line or on several. */
function readAddresses(line: string, state: State): boolean {
  const trimmed = line.trim()
  if (!trimmed.startsWith('(') && !trimmed.startsWith('0x')) return false
  for (const word of trimmed.split(/[\s()]+/)) {
    if (!/^0x[0-9a-fA-F]{1,16}$/.test(word)) continue
    const index = state.thread?.frames.length ?? 0
    const frame = {
      index,
      module: '',
      address: BigInt(word),
      symbol: null,
      file: null,
      line: null,
      isInlined: false,
      isSample: false,
    }
    const text = `${String(index).padEnd(3)} ${'???'.padEnd(30)}\t${word}`
    state.report.lines.push(pushFrame(state, text, frame) ? lastFrame(state) : text)
  }
  return true
}

function pushFrame(state: State, raw: string, parsed: TextFrame): boolean {
  const { thread } = state
  if (!thread) return false
  if (++state.frameCount > maxFrames) return false
  const { index, module, address, symbol, file, line, isInlined, isSample } = parsed
  const before = thread.frames.at(-1)
  // What is inlined into the frame that a thread stopped in has its address.
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
  return true
}

function lastFrame(state: State): ReportFrame {
  return state.thread?.frames.at(-1) as ReportFrame
}

/**
 * A heaviest stack lists the outermost frame first, and its innermost frame is where the sample was taken.
 * The backtrace of the last exception stands before the threads in the text, and after them in the list, so that threads keep their numbers.
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

function place(state: State): void {
  const { report, placed } = state
  const usable = report.images.filter(isUsable)
  for (const image of report.images) {
    if (!isUsable(image)) report.warnings.push(`The image ${image.name} has an impossible range of addresses.`)
  }
  if (report.images.length === 0 && placed.length > 0) {
    report.warnings.push('The report lists no binary images, so its frames cannot be matched with any.')
  }
  const places = new ImagePlaces(usable)
  for (const { frame, address } of placed) placeFrame(frame, address, places)
  if (state.frameCount > maxFrames) {
    report.warnings.push(
      `The report has ${state.frameCount} frames; those after the first ${maxFrames} are left as they are.`,
    )
  }
}

function isUsable({ base, end }: ReportImage): boolean {
  return Number.isSafeInteger(base) && base < end
}
