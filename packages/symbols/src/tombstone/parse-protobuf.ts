/**
 * Parser of tombstones in Protocol Buffers, by `debuggerd/proto/tombstone.proto` of Android:
 *   Tombstone: 1 architecture · 2 fingerprint · 5 pid · 6 tid · 10 signal · 14 abort message · 16 threads, a map
 *   Signal:    1 number · 2 name · 3 code · 4 name of the code · 8 has a fault address · 9 fault address
 *   Thread:    1 id · 2 name · 4 frames
 *   Frame:     1 pc in the file · 4 function · 5 offset in it · 6 file · 7 offset of the file · 8 build id
 * All other fields are skipped: logs, memory, file names and command lines hold personal data.
 */
import { SymbolsError } from '../symbols-error.ts'
import { toModule, type Tombstone, type TombstoneFrame, tombstoneLimits, type TombstoneThread } from './tombstone.ts'
import { readFields, toWireText, type WireField } from './wire.ts'

const architectures = ['arm', 'arm64', 'x86', 'x86_64', 'riscv64']
/**
 * The keys that a tombstone begins with: its architecture, which is left out for 32-bit ARM, or its fingerprint. Text
 * does not begin with a control character.
 */
const firstKeys = new Set([0x08, 0x12])

export function looksLikeProtobuf(bytes: Uint8Array): boolean {
  return firstKeys.has(bytes[0] ?? 0)
}

/** Throws `malformed-report` for bytes in which neither a signal nor a thread with a frame is found. */
export function parseProtobufTombstone(bytes: Buffer): Tombstone {
  const found: Found = { signal: null, fault: null, threads: new Map(), frames: 0 }
  let architecture: string | null = 'arm'
  let fingerprint: string | null = null
  let pid = 0
  let tid = 0
  let abortMessage: string | null = null
  const isWhole = readFields(bytes, (field) => {
    const { number } = field
    if (number === 1) architecture = architectures[Number(field.value)] ?? null
    else if (number === 2) fingerprint = toText(field)
    else if (number === 5) pid = toNumber(field.value)
    else if (number === 6) tid = toNumber(field.value)
    else if (number === 10) readSignal(field.bytes, found)
    else if (number === 14) abortMessage = toText(field)
    else if (number === 16) readThreadEntry(field.bytes, found)
  })
  // Random bytes hold messages as well, but hardly ever one with the facts that Android always writes.
  if (found.signal === null && !found.threads.values().some(({ frames }) => frames.some(isPlaced))) {
    throw new SymbolsError('malformed-report', 'It has neither a signal nor a thread with a frame.')
  }
  const threads = [...found.threads.values()].map((thread) => ({ ...thread, crashed: thread.tid === tid }))
  threads.sort((a, b) => Number(b.crashed) - Number(a.crashed) || (a.tid ?? 0) - (b.tid ?? 0))
  const warnings = isWhole ? [] : ['The tombstone is damaged and was read up to the damage.']
  if (found.frames > tombstoneLimits.frames) {
    warnings.push(`Of its ${found.frames} frames, ${tombstoneLimits.frames} were read.`)
  }
  const tombstone = { architecture, fingerprint, pid, tid, signal: found.signal, abortMessage, threads, warnings }
  return { ...tombstone, lines: toLines(tombstone, found.fault) }
}

interface Found {
  signal: Tombstone['signal']
  /** The line that describes the signal. */
  fault: string | null
  threads: Map<number, TombstoneThread>
  frames: number
}

/** Signals of Linux are numbered from 1. */
const highestSignal = 64n

function readSignal(message: Buffer, found: Found): void {
  let name = ''
  let codeName = ''
  let [number, code, address] = [0n, 0n, 0n]
  let hasAddress = false
  readFields(message, (field) => {
    if (field.number === 1) number = BigInt.asIntN(32, field.value)
    else if (field.number === 2) name = toText(field) ?? ''
    else if (field.number === 3) code = BigInt.asIntN(32, field.value)
    else if (field.number === 4) codeName = toText(field) ?? ''
    else if (field.number === 8) hasAddress = field.value !== 0n
    else if (field.number === 9) address = field.value
  })
  if (number <= 0n || number > highestSignal) return
  found.signal = { name: name === '' ? `signal ${number}` : name, code: codeName === '' ? null : codeName }
  const place = hasAddress ? `0x${address.toString(16).padStart(16, '0')}` : '--------'
  found.fault = `signal ${number} (${name}), code ${code} (${codeName}), fault addr ${place}`
}

function isPlaced({ pc, path }: TombstoneFrame): boolean {
  return pc !== 0 || path !== unknownPath
}

/** Reads an entry of a map: 1 key · 2 value. The last entry of a key counts. */
function readThreadEntry(message: Buffer, found: Found): void {
  let key = 0
  let value: Buffer = Buffer.alloc(0)
  readFields(message, (field) => {
    if (field.number === 1) key = toNumber(field.value)
    else if (field.number === 2) value = field.bytes
  })
  if (!found.threads.has(key) && found.threads.size >= tombstoneLimits.threads) return
  const before = found.threads.get(key)
  if (before) found.frames -= before.frames.length
  let name: string | null = null
  const frames: TombstoneFrame[] = []
  readFields(value, (field) => {
    if (field.number === 2) name = toText(field)
    if (field.number !== 4) return
    found.frames++
    if (found.frames <= tombstoneLimits.frames) frames.push(readFrame(field.bytes, frames.length))
  })
  found.threads.set(key, { tid: key, name, crashed: false, frames })
}

/** How a tombstone as text shows that code lies in no file. */
const unknownPath = '<unknown>'

function readFrame(message: Buffer, index: number): TombstoneFrame {
  let pc = 0
  let name = ''
  let functionOffset = 0
  let path = ''
  let fileOffset = 0n
  let buildId = ''
  readFields(message, (field) => {
    if (field.number === 1) pc = toNumber(field.value)
    else if (field.number === 4) name = toText(field) ?? ''
    else if (field.number === 5) functionOffset = toNumber(field.value)
    else if (field.number === 6) path = toText(field) ?? ''
    else if (field.number === 7) fileOffset = field.value
    else if (field.number === 8) buildId = toText(field)?.toLowerCase() ?? ''
  })
  const shownPath = path === '' ? unknownPath : path
  const isId = /^(?:[0-9a-f]{2})+$/.test(buildId) && buildId.length <= tombstoneLimits.buildIdLength
  const shownName = name === '' ? '' : ` (${name}${functionOffset === 0 ? '' : `+${functionOffset}`})`
  const shownOffset = fileOffset === 0n ? '' : ` (offset 0x${fileOffset.toString(16)})`
  const counter = String(index).padStart(2, '0')
  const raw =
    `      #${counter} pc ${pc.toString(16).padStart(16, '0')}  ${shownPath}${shownOffset}${shownName}` +
    (isId ? ` (BuildId: ${buildId})` : '')
  return {
    index,
    pc,
    path: shownPath,
    module: toModule(shownPath),
    function: name === '' ? null : name,
    functionOffset,
    buildId: isId ? buildId : null,
    raw,
  }
}

function toLines(tombstone: Omit<Tombstone, 'lines'>, fault: string | null): Tombstone['lines'] {
  const { fingerprint, architecture, pid, signal, abortMessage, threads } = tombstone
  const lines: Tombstone['lines'] = ['*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***']
  if (fingerprint !== null) lines.push(`Build fingerprint: '${fingerprint}'`)
  if (architecture !== null) lines.push(`ABI: '${architecture}'`)
  for (const [index, { tid, name, frames }] of threads.entries()) {
    if (index > 0) lines.push('', '--- --- --- --- --- --- --- --- --- --- --- --- --- --- --- ---')
    lines.push(`pid: ${pid}, tid: ${tid}, name: ${name ?? ''}  >>> <<<`)
    if (index === 0 && signal && fault !== null) lines.push(fault)
    if (index === 0 && abortMessage !== null) lines.push(`Abort message: '${abortMessage}'`)
    lines.push('', 'backtrace:', ...frames)
  }
  return lines
}

function toText(field: WireField): string | null {
  return toWireText(field, tombstoneLimits.nameLength).replace(/[\r\n]+/g, ' ') || null
}

function toNumber(value: bigint): number {
  return Number(value)
}
