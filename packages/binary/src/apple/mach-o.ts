/**
 * The head of a Mach-O executable. One architecture: 0 magic (feedface or feedfacf, in the byte order of the CPU) · 4 CPU type
 * 8 subtype. Several ("fat", always big-endian): 0 magic cafebabe or cafebabf · 4 count · then per architecture 20 or 32 bytes that
 * start with CPU type and subtype. A Java class also starts with cafebabe; its "count" is a version above 40.
 */
const cpuNames: Record<number, string> = {
  7: 'i386',
  0x01000007: 'x86_64',
  12: 'arm',
  0x0100000c: 'arm64',
  0x0200000c: 'arm64_32',
}
const armNames: Record<number, string> = { 6: 'armv6', 9: 'armv7', 11: 'armv7s', 12: 'armv7k' }
const maxArchitectures = 32

/** Names as `lipo -archs` gives them; empty for what is no Mach-O. */
export function parseArchitectures(start: Buffer): string[] {
  if (start.length < 12) return []
  const magic = start.readUInt32BE(0)
  if (magic === 0xcefaedfe || magic === 0xcffaedfe)
    return [toArchitecture(start.readUInt32LE(4), start.readUInt32LE(8))]
  if (magic === 0xfeedface || magic === 0xfeedfacf)
    return [toArchitecture(start.readUInt32BE(4), start.readUInt32BE(8))]
  if (magic !== 0xcafebabe && magic !== 0xcafebabf) return []
  const width = magic === 0xcafebabe ? 20 : 32
  const count = start.readUInt32BE(4)
  const names: string[] = []
  for (let at = 8; names.length < Math.min(count, maxArchitectures) && at + 8 <= start.length; at += width) {
    names.push(toArchitecture(start.readUInt32BE(at), start.readUInt32BE(at + 4)))
  }
  return [...new Set(names)]
}

/** The name of a CPU as `lipo -archs` gives it. */
export function toArchitecture(cpu: number, subtype: number): string {
  const plain = subtype & 0x00ffffff
  if (cpu === 0x0100000c && plain === 2) return 'arm64e'
  return (cpu === 12 ? armNames[plain] : undefined) ?? cpuNames[cpu] ?? `cpu-${cpu}`
}
