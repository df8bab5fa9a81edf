import type { DartTrace } from './dart-trace.ts'
import type { ObfuscationMap } from './obfuscation-map.ts'

/** What stands before the text of an exception: on the line before, or on the same line. */
const heading = /Unhandled exception:\s*$/i
/** The class of an exception, before the colon of its message. */
const className = /^[\w$]{1,200}(?:<[\w$<>, ?]{1,300}>)?(?=:|$)/
const sameLine = /^(.{0,300}Unhandled exception:[ \t]{1,8})(\S.*)$/i

/**
 * Restores the class of an exception in a line of a report: a word before a colon, `ab: bad tide`, or the class that an
 * object without a text names, `Instance of 'ab'`. Other lines stay as they are, and so does the message.
 */
export function restoreException(line: string, map: ObfuscationMap, before: string | undefined): string {
  if (line.length > 8192) return line
  const own = sameLine.exec(line)
  if (own) return `${own[1]}${restoreClass(own[2] ?? '', map)}`
  if (before === undefined || !heading.test(before)) return line
  const start = findLogPrefix(line)
  return start + restoreClass(line.slice(start.length), map)
}

/** The exception that a report names before its first trace. */
export interface DartException {
  /** The class. Null for a text that names none, such as that of a thrown string. */
  type: string | null
  message: string | null
}

/** Reads the exception before the first frame. Returns null if the report names none. */
export function readException({ lines }: Pick<DartTrace, 'lines'>): DartException | null {
  let before = ''
  for (const line of lines) {
    if (typeof line !== 'string') return null
    if (line.length > 8192) continue
    const own = sameLine.exec(line)?.[2]
    if (own !== undefined) return splitException(own)
    if (heading.test(before)) return splitException(line.slice(findLogPrefix(line).length))
    before = line
  }
  return null
}

function splitException(text: string): DartException {
  const instance = /^Instance of '([^']{1,500})'/.exec(text)?.[1]
  if (instance !== undefined) return { type: instance, message: null }
  const type = className.exec(text)?.[0]
  if (type === undefined) return { type: null, message: text.trim() }
  return { type, message: text.slice(type.length).replace(/^:/, '').trim() || null }
}

/** Returns the time, process and tag that a log of Android writes before a line of Flutter. */
function findLogPrefix(line: string): string {
  return /^.{0,300}? flutter ?(?:\(\s{0,8}\d{1,8}\))?: /i.exec(line)?.[0] ?? ''
}

function restoreClass(text: string, map: ObfuscationMap): string {
  const instance = /^Instance of '([^']{1,500})'/.exec(text)
  if (instance) return `Instance of '${map.restoreWords(instance[1] ?? '')}'${text.slice(instance[0].length)}`
  const type = className.exec(text)?.[0]
  return type === undefined ? text : map.restoreWords(type) + text.slice(type.length)
}
