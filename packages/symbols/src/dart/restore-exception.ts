import type { ObfuscationMap } from './obfuscation-map.ts'

/** What stands before the text of an exception: on the line before, or on the same line. */
const heading = /Unhandled exception:\s*$/i
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
  const start = /^.{0,300}? flutter ?(?:\(\s{0,8}\d{1,8}\))?: /i.exec(line)?.[0] ?? ''
  return start + restoreClass(line.slice(start.length), map)
}

function restoreClass(text: string, map: ObfuscationMap): string {
  const instance = /^Instance of '([^']{1,500})'/.exec(text)
  if (instance) return `Instance of '${map.restoreWords(instance[1] ?? '')}'${text.slice(instance[0].length)}`
  const type = /^[\w$]{1,200}(?:<[\w$<>, ?]{1,300}>)?(?=:|$)/.exec(text)?.[0]
  return type === undefined ? text : map.restoreWords(type) + text.slice(type.length)
}
