/** CPU types and subtypes of Mach-O (mach/machine.h) and the names that crash reports give them. */
const bits64 = 0x01000000
const bits64With32BitPointers = 0x02000000
const arm = 12
const x86 = 7

const armSubtypes: Record<number, string> = { 6: 'armv6', 9: 'armv7', 11: 'armv7s', 12: 'armv7k' }

/** The name of an architecture, or undefined for one that no Apple device of the last decade has. */
export function toArchitecture(cpuType: number, cpuSubtype: number): string | undefined {
  const subtype = cpuSubtype & 0xff // the upper byte holds capabilities, such as the pointer authentication ABI
  switch (cpuType) {
    case arm:
      return armSubtypes[subtype] ?? 'arm'
    case arm + bits64:
      return subtype === 2 ? 'arm64e' : 'arm64'
    case arm + bits64With32BitPointers:
      return 'arm64_32'
    case x86:
      return 'i386'
    case x86 + bits64:
      return subtype === 8 ? 'x86_64h' : 'x86_64'
    default:
      return undefined
  }
}
