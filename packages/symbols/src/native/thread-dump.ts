/**
 * The frames of native code in a dump of the threads of an Android app, which the runtime writes when the app does not
 * respond (ANR). They stand before the frames of Java of their thread, whose innermost calls they are:
 *
 *     "main" prio=5 tid=1 Native
 *       native: #00 pc 00000000000a20f4  /apex/com.android.runtime/lib64/bionic/libc.so (read+4) (BuildId: 0133…8ec7b)
 *       at org.example.Shop.load(Native method)
 */
import { parseTombstoneFrame } from '../tombstone/tombstone-frame.ts'
import { type TombstoneFrame, tombstoneLimits } from '../tombstone/tombstone.ts'

const longestLine = 64 * 1024

export interface ThreadDump {
  /** The architecture as it names libraries (`arm64`); null if it is not said. */
  architecture: string | null
  /** The frames of native code by their line, in the order of the text. Equal lines are equal frames. */
  frames: Map<string, TombstoneFrame>
}

/** Play Console leaves the word `native:` out. */
export function parseDumpFrame(line: string): TombstoneFrame | undefined {
  if (line.length > longestLine) return undefined
  return parseTombstoneFrame(line.replace(/^\s{0,40}native: {1,8}/, ''), line)
}

export function findDumpArchitecture(text: string): string | null {
  return /^ABI: ?'([^'\n]{1,40})'/m.exec(text)?.[1] ?? null
}

export function parseThreadDump(text: string): ThreadDump {
  const frames = new Map<string, TombstoneFrame>()
  for (const line of text.split(/\r\n|\n|\r/)) {
    const frame = frames.size < tombstoneLimits.frames ? parseDumpFrame(line) : undefined
    if (frame) frames.set(line, frame)
  }
  return { architecture: findDumpArchitecture(text), frames }
}
