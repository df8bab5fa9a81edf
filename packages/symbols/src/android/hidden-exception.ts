/**
 * Lines that name an exception where R8's expression finds another word or none: behind the prefix of logcat, behind
 * white space, or before a message of a single word, as in `Caused by: a.b: boom`. Used only where R8 would leave the
 * line as it is.
 */
import { findLogcatMessage } from './logcat-prefix.ts'
import { findClassAt, skipSpace, toClassPart, type TraceLine } from './trace-line.ts'

const markers = ['Caused by: ', 'Suppressed: ']
const threadMarker = 'Exception in thread "'

/** The line cut where the exception stands; `undefined` where it names none that `isMapped`. */
export function findHiddenException(
  { text }: TraceLine,
  isMapped: (className: string) => boolean,
): TraceLine | undefined {
  for (const start of [0, findLogcatMessage(text)]) {
    if (start === undefined) continue
    const found = findClassAt(text, skipMarker(text, skipSpace(text, start)))
    const [part] = found ? toClassPart(text, found) : []
    if (part && isMapped(text.slice(part.start, part.end))) return { text, parts: [part] }
  }
  return undefined
}

function skipMarker(text: string, start: number): number {
  const marker = markers.find((it) => text.startsWith(it, start))
  if (marker) return skipSpace(text, start + marker.length)
  if (!text.startsWith(threadMarker, start)) return start
  const quote = text.indexOf('"', start + threadMarker.length)
  return quote === -1 ? start : skipSpace(text, quote + 1)
}
