/** The words that stand before an exception in a trace of Java, of logcat, of Play Console and of Crashlytics. */

/** What only stands before an exception. Play Console and Crashlytics write `Caused by` without a colon. */
const certain = /^(?:Exception in thread "[^"\n]{0,500}"|(?:Non-)?[Ff]atal Exception:|Caused by:?|Suppressed:) +/
/** Play Console's `Exception java.lang.Error: …`; the word may begin a sentence as well. */
const likely = /^Exception +(?=[\p{L}\p{N}_$]+[.:])/u

/** A class without a package, or with one, and perhaps with a class loader or module before it. */
const exception = /^(?:[\p{L}\p{N}_$.@-]{0,200}\/){0,2}([\p{L}_$][\p{L}\p{N}_$.-]{0,511})(?::(?:\s(.*))?)?$/su

/** Reads the exception of a line. `isFirst` says whether it is the outermost one, which needs no heading. */
export function parseException(
  line: string,
  isFirst: boolean,
): { type: string; message: string | undefined } | undefined {
  const body = line.trim()
  const marked = findMarkedException(body)
  if (marked !== undefined) return parseName(marked)
  return isFirst ? parseName(body.replace(likely, '')) : undefined
}

/** The text after a heading that only stands before an exception; undefined if there is no such heading. */
export function findMarkedException(line: string): string | undefined {
  const body = line.trim()
  const heading = certain.exec(body)
  if (!heading) return undefined
  const rest = body.slice(heading[0].length)
  return parseName(rest) ? rest : undefined
}

/** Whether a line begins the crash of another thread. */
export function isThreadHeading(body: string): boolean {
  return /^(?:FATAL EXCEPTION: |Exception in thread "|(?:Non-)?[Ff]atal Exception: )/.test(body)
}

function parseName(text: string): { type: string; message: string | undefined } | undefined {
  const found = exception.exec(text)
  const type = found?.[1]
  if (type === undefined || type.endsWith('.') || type.includes('..')) return undefined
  return { type, message: found?.[2] }
}
