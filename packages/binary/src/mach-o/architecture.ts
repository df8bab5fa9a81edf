/** CPU types and subtypes of Mach-O (mach/machine.h), and the names that `lipo -archs` and crash reports give them. */
const cpuNames: Record<number, string> = {
  0x00000007: 'i386',
  0x01000007: 'x86_64',
  0x0000000c: 'arm',
  0x0100000c: 'arm64',
  0x0200000c: 'arm64_32',
}

/** Names of subtypes that differ from the name of their CPU. */
const subtypeNames: Record<number, Record<number, string>> = {
  0x01000007: { 8: 'x86_64h' },
  0x0000000c: { 6: 'armv6', 9: 'armv7', 11: 'armv7s', 12: 'armv7k' },
  0x0100000c: { 2: 'arm64e' },
}

/** The upper byte of a subtype holds capabilities, such as the version of the pointer authentication ABI. */
const subtypeMask = 0x00ffffff

/** The name of an architecture; undefined for a CPU that no Apple device of the last decade has. */
export function toArchitecture(cpuType: number, cpuSubtype: number): string | undefined {
  return subtypeNames[cpuType]?.[cpuSubtype & subtypeMask] ?? cpuNames[cpuType]
}
