/**
 * The prefix of log messages, in the formats of logcat and of Android Studio:
 *
 *     E/Tag: …                                                     tag
 *     E/Tag( 1234): …                                              brief
 *     E( 1234) …                                                   process
 *     11-21 10:00:00.000 E/Tag( 1234): …                           time
 *     11-21 10:00:00.000  1234  1234 E Tag: …                      threadtime
 *     2026-11-21 10:00:00.000 1234-1234/com.example E/Tag: …       Android Studio before 2022
 *     2026-11-21 10:00:00.000  1234-1234  Tag  com.example  E  …   Android Studio
 */

const levels = 'VDIWEFA'

/** The offset at which the message begins; `undefined` if the line has no such prefix. */
export function findLogcatMessage(text: string): number | undefined {
  return isDigit(text, 0) ? findAfterTime(text) : findAfterLevel(text, 0)
}

/** Finds the log level after the date and time. It is a word of its own or the beginning of a tag. */
function findAfterTime(text: string): number | undefined {
  let words = 0
  for (let at = nextWord(text, 0); at !== -1 && words < 8; at = nextWord(text, at), words++) {
    if (!levels.includes(text[at] ?? '')) continue
    if (text[at + 1] === '/' || text[at + 1] === '(') return findAfterLevel(text, at)
    if (text[at + 1] !== ' ') continue
    // Two spaces after the level mean Android Studio, which writes the tag before the level.
    if (text[at + 2] === ' ') return at + 3
    return endOfTag(text, at + 2)
  }
  return undefined
}

/** Finds the end of `E/Tag: `, `E/Tag( 1234): ` or `E( 1234) ` at `start`. */
function findAfterLevel(text: string, start: number): number | undefined {
  if (!levels.includes(text[start] ?? '')) return undefined
  if (text[start + 1] === '/') return endOfTag(text, start + 2)
  if (text[start + 1] !== '(') return undefined
  let at = start + 2
  while (text[at] === ' ' || isDigit(text, at)) at++
  return text[at] === ')' ? at + 1 : undefined
}

/** The offset after the next colon and space. */
function endOfTag(text: string, start: number): number | undefined {
  const colon = text.indexOf(': ', start)
  return colon === -1 ? undefined : colon + 2
}

/** The start of the next word; -1 at the end of the text. */
function nextWord(text: string, start: number): number {
  let at = text.indexOf(' ', start)
  if (at === -1) return -1
  while (text[at] === ' ') at++
  return at < text.length ? at : -1
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0x30 && code <= 0x39
}
