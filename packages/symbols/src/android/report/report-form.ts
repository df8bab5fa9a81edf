import { readJavaTrace } from './java-trace.ts'

/** The heading of a thread: `"main" prio=5 tid=1 Native` of the runtime, `"main" tid=1 Native` of Play Console. */
const threadHeading = /^-----? pid \d{1,10} at |^"[^"\n]{1,200}" (?:\S{1,40} ){0,3}(?:prio=|tid=\d)/m

/** Matches a frame of native code, `#00 pc 0004793e`, and what the runtime logs before a tombstone. */
const nativeLine = /#\d\d {1,4}pc [0-9a-f]{8}|\bFatal signal \d{1,3} \(SIG/

/** Tells which of Android's reports in text this is; undefined if it is none. */
export function detectAndroidForm(text: string): 'native' | 'threads' | 'trace' | undefined {
  if (threadHeading.test(text)) return 'threads'
  const isNative = nativeLine.test(text)
  // Native frames may stand in a trace of Java as well, but a tombstone begins with its signal.
  if (isNative && /\bsignal \d{1,4} \(\w{1,40}\)/.test(text)) return 'native'
  if (readJavaTrace(text) !== undefined) return 'trace'
  return isNative ? 'native' : undefined
}
