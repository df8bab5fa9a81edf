import { formatBytes } from '../ui/format.ts'

/** Formats a difference of sizes with its sign: `+1.2 MB`. */
export function formatBytesChange(bytes: number): string {
  return bytes === 0 ? '±0 B' : `${bytes > 0 ? '+' : '−'}${formatBytes(Math.abs(bytes))}`
}
