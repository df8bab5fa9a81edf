/**
 * Finds exceptions that R8's expression misses: after a logcat prefix, after white space, or before a message of a
 * single word, as in `Caused by: a.b: boom`. It applies only to lines that R8 would leave unchanged.
 */
import type { Mapping } from '../index/mapping.ts'
import { findLogcatMessage } from '../trace/logcat-prefix.ts'
import { findClassAt, maxTraceLineLength, skipSpace, toClassPart, type TraceLine } from '../trace/trace-line.ts'
import { textOf } from './restored-line.ts'

const markers = [
  'Caused by: ',
  'Suppressed: ',
  // Play Console and Crashlytics write these.
  'Caused by ',
  'Fatal Exception: ',
  'Non-fatal Exception: ',
  'Exception ',
]
const threadMarker = 'Exception in thread "'

/**
 * Returns the line with the hidden exception as its only part, if the mapping knows its class; otherwise the line as it
 * is.
 */
export function findHiddenException(line: TraceLine, mapping: Mapping): TraceLine {
  if (textOf(line, 'method') !== undefined) return line
  const className = textOf(line, 'class')
  if (className !== undefined && mapping.findClasses(className).length > 0) return line
  const { text } = line
  if (text.length > maxTraceLineLength) return line
  for (const start of [0, findLogcatMessage(text)]) {
    const found = start === undefined ? undefined : findClassAt(text, skipMarker(text, skipSpace(text, start)))
    const [part] = found ? toClassPart(text, found) : []
    if (part && mapping.findClasses(text.slice(part.start, part.end)).length > 0) return { text, parts: [part] }
  }
  return line
}

function skipMarker(text: string, start: number): number {
  const marker = markers.find((it) => text.startsWith(it, start))
  if (marker) return skipSpace(text, start + marker.length)
  if (!text.startsWith(threadMarker, start)) return start
  const quote = text.indexOf('"', start + threadMarker.length)
  return quote === -1 ? start : skipSpace(text, quote + 1)
}
