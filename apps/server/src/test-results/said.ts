/**
 * What a failure says. Some tools write the same few words into every message, or the title of the test, and what
 * happened into the text below: without it, every failure of a test would be in one group, and a new one known.
 */

export interface FailureWords {
  message: string | null
  /** The whole text of the failure, where the report has more than a message. */
  details: string | null
}

const sameWords = /^(?:the )?(?:test )?(?:case )?(?:failed|failure|fail|errored|error)[.!:]?$/i
/** The place and title of a test, which earlier versions of Playwright wrote into the message of each failure. */
const titleOfTest = /^\S[^\n]*\.[cm]?[jt]sx?:\d+:\d+ \S/
const headings = new RegExp(
  [
    String.raw`^=== (?:RUN|PAUSE|CONT|NAME)\b`, // Go
    String.raw`^\s*--- (?:FAIL|PASS|SKIP): `,
    String.raw`^\s*(?:\d+\) )?(?:\[[^\]\n]{1,200}\] › )?\S[^\n]*:\d+:\d+ › `, // Playwright
  ].join('|'),
)
/** What a test of Go says begins with its place, which differs between commits. */
const goPlace = /^\s*[\w./\\+-]+\.go:\d+:\s?/
const goPanic = /^panic: /
/** Lines of testify that name the checkout and the test. */
const testifyLine = /^\s*(?:Error Trace|Test):\s/
/**
 * Messages that are one quotation of the error, between what comes before and after it. Values within messages are
 * quoted as well and do not count for a group, but here nothing else tells two errors apart.
 */
const quotedErrors = [
  /^(failed on (?:setup|teardown) with )"(.{1,4000}?)"?($)/s, // fixtures of pytest
  /^((?:Error: )?thrown: )"(.{1,4000}?)"?($)/s, // Jest, for what is no Error
  /^(the \w{1,20} )"(.{1,4000}?)"( was thrown, throw an Error)/s, // Mocha, likewise
  /^((?:[^\n]{0,1000}\n)?C\+\+ exception with description )"(.{1,4000}?)"( thrown in )/s, // GoogleTest
  /^([^\n"]{0,200}\b(?:caught|threw)(?: error:?)? )"(.{1,4000}?)"?($)/s, // XCTest
  /^((?:[A-Z]\w{0,100}: )?)"([^"]{1,4000})"($)/, // whatever was thrown, and the key of a KeyError in Python
  /^((?:[A-Z]\w{0,100}: )?)'([^']{1,4000})'($)/,
]
const maxLines = 400
const maxLineLength = 1000

/** The message of a failure; where that says nothing, what its text says. A quoted error loses its quotation marks. */
export function toSaid(failure: FailureWords): string | null {
  const said = findSaid(failure)
  if (said === null) return null
  return quotedErrors.reduce((text, pattern) => text.replace(pattern, '$1$2$3'), said)
}

function findSaid({ message, details }: FailureWords): string | null {
  if (message !== null && !sameWords.test(message.trim()) && !titleOfTest.test(message)) return message
  if (details === null) return message
  const lines = details.split('\n', maxLines).map((line) => line.slice(0, maxLineLength))
  const said = lines.filter((line) => line.trim() !== '' && !headings.test(line) && !testifyLine.test(line))
  return sayInGo(said) ?? said[0]?.trim() ?? message
}

/** A test of Go may log before it fails, so the last thing that it says counts, or else its panic. */
function sayInGo(lines: string[]): string | undefined {
  const panic = lines.find((line) => goPanic.test(line))
  if (panic !== undefined) return panic.trim()
  const last = lines.findLastIndex((line) => goPlace.test(line))
  if (last === -1) return undefined
  const said = lines.slice(last).join('\n').replace(goPlace, '').trim()
  return said === '' ? undefined : said
}
