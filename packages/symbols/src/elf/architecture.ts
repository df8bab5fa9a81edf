/** The numbers of machines in the header of an ELF file, for which people have a name. */
const names = new Map([
  [3, 'x86'],
  [40, 'arm'],
  [62, 'x86_64'],
  [183, 'arm64'],
  [243, 'riscv64'],
])

export const armMachine = 40
export const arm64Machine = 183
export const riscvMachine = 243

/** The architecture as a word; a machine without one is shown by its number. */
export function toArchitecture(machine: number): string {
  return names.get(machine) ?? String(machine)
}
