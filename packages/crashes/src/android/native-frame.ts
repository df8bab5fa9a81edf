import { emptyFrame, type ReportedFrame } from '../crash.ts'
import { toFileName } from '../image-places.ts'

const longestLine = 4096

/**
 * Matches `#00 pc 0004793e  /system/lib/libc.so (pthread_mutex_lock+1) (BuildId: …)`. The pc is relative to the file.
 */
export function parseNativeFrame(line: string): ReportedFrame | undefined {
  if (line.length > longestLine) return undefined
  const head = /#\d{1,6}\s{1,20}pc\s{1,20}([0-9a-fA-F]{1,16})\s{1,20}(\S.*)$/.exec(line)
  if (!head) return undefined
  const rest = (head[2] ?? '').replace(/\s*\(BuildId: [0-9a-f]{1,64}\)/, '')
  const path = /^(\[[^\]]*\]|<[^>]*>|\S+)/.exec(rest)?.[1] ?? rest
  const symbol = rest.slice(path.length).trim()
  const name = /^\((.*)\)$/.exec(symbol)?.[1]?.replace(/\+\d+$/, '')
  const offset = BigInt(`0x${head[1]}`)
  return {
    ...emptyFrame,
    function: name === undefined || name === '' || name.startsWith('offset ') ? null : name,
    imageOffset: offset <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(offset) : null,
    module: toFileName(path),
  }
}
