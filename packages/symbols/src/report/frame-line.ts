import type { ReportFrame } from './crash-report.ts'

/** Formats a frame in the columns of Apple's text reports; `where` is the text behind the address. */
export function formatFrameLine(frame: Pick<ReportFrame, 'index' | 'module' | 'address'>, where: string): string {
  const address = frame.address === undefined ? '???'.padEnd(18) : toHexadecimal(frame.address, 16)
  return `${String(frame.index).padEnd(3)} ${(frame.module ?? '???').padEnd(30)}\t${address} ${where}`
}

export function toHexadecimal(value: number, digits = 0): string {
  return `0x${value.toString(16).padStart(digits, '0')}`
}
