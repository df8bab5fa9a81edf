/**
 * The header of one Mach-O file or slice, in the byte order of its CPU:
 *   0 magic feedface (feedfacf for 64 bits) · 4 CPU type · 8 subtype · 12 file type · 16 number of load commands
 *   20 their size · 24 flags · 28 (64 bits only) reserved
 */
import { toArchitecture } from './architecture.ts'
import { parseFatHeader } from './fat-header.ts'

const magic32 = 0xfeedface
const magic64 = 0xfeedfacf

/** Bytes that `parseMachOHeader` needs. */
export const machOHeaderBytes = 28

export interface MachOHeader {
  cpuType: number
  /** For example `arm64e`; undefined for a CPU that no Apple device of the last decade has. */
  architecture: string | undefined
  is64: boolean
  /** Load commands of big-endian files are not read, because no current Apple device is big-endian. */
  isBigEndian: boolean
  commandCount: number
  /** Size of all load commands, in bytes. They begin at `commandsOffset`. */
  commandBytes: number
  commandsOffset: number
}

/** Parses the start of a Mach-O file or slice; undefined if it is neither. */
export function parseMachOHeader(start: Buffer): MachOHeader | undefined {
  if (start.length < machOHeaderBytes) return undefined
  const isBigEndian = isMagic(start.readUInt32BE(0))
  if (!isBigEndian && !isMagic(start.readUInt32LE(0))) return undefined
  const read = (at: number) => (isBigEndian ? start.readUInt32BE(at) : start.readUInt32LE(at))
  const is64 = read(0) === magic64
  const cpuType = read(4)
  return {
    cpuType,
    architecture: toArchitecture(cpuType, read(8)),
    is64,
    isBigEndian,
    commandCount: read(16),
    commandBytes: read(20),
    commandsOffset: is64 ? 32 : 28,
  }
}

/** Whether bytes start like a thin or fat Mach-O file of any byte order. A Java class starts like a fat one. */
export function hasMachOMagic(start: Buffer): boolean {
  if (start.length < 4) return false
  const magic = start.readUInt32BE(0)
  return isMagic(magic) || isMagic(start.readUInt32LE(0)) || magic === 0xcafebabe || magic === 0xcafebabf
}

/** The architectures of a thin or fat file as `lipo -archs` names them; empty if it is not Mach-O. */
export function listArchitectures(start: Buffer): string[] {
  const fat = parseFatHeader(start)
  if (fat)
    return [
      ...new Set(fat.slices.map(({ cpuType, cpuSubtype }) => nameOf(cpuType, toArchitecture(cpuType, cpuSubtype)))),
    ]
  const header = parseMachOHeader(start)
  return header ? [nameOf(header.cpuType, header.architecture)] : []
}

function nameOf(cpuType: number, architecture: string | undefined): string {
  return architecture ?? `cpu-${cpuType}`
}

function isMagic(value: number): boolean {
  return value === magic32 || value === magic64
}
