/**
 * Playwright goes on after `expect.soft`, and its JUnit report writes all errors of a test into one failure,
 * one below the other. Each of them is a failure by itself: otherwise a new one below a known one would pass.
 */
import type { FailureText } from './group-key.ts'

/** The line with the place and title of the test, which Playwright draws as a rule. */
const heading = /^\s*(?:\[[^\]\n]{1,200}\] › )?\S[^\n]{0,1000}:\d+:\d+ › /
/** The next attempt, whose failures the report may write into the same text. */
const nextAttempt = /\n {4}Retry #\d+ ─/
/** The errors of a passed test's attempts have no heading and are not indented. */
const soft = /^expect\./
/** Earlier versions of Playwright give every failure this type, and its message has no words of the error. */
const earlierType = 'FAILURE'
const beginsError = /(?<=\n[^\S\n]*\n) {0,4}(?=(?:[A-Z]\w{0,100})?Error: )/
const errorName = /^\s*(\w{1,100}): /
/**
 * Playwright names the type of a failed expectation by its matcher: `expect.toBe`, `expect.not.toBe`. The search from
 * one `expect(` ends at the next one, so that no text is searched twice.
 */
const matcher = /expect\((?:(?!expect\()[^\n]){0,200}?\)\.(not\.)?(\w{1,100})/
/** From here on a text shows the source, which may hold expectations that were met. */
const source = /\n[^\S\n]*(?:>[^\S\n]*)?\d{1,9} \|/
const maxText = 64 * 1024
/** The most errors of one failure that are compared. */
const maxErrors = 100

/** The errors in one failure, the one that its message names first; only the failure itself when it holds no others. */
export function splitSoftFailures(failure: FailureText): FailureText[] {
  const { type, message, details } = failure
  if (details === null || !(heading.test(details) || soft.test(type ?? ''))) return [failure]
  const [attempt = ''] = details.slice(0, maxText).split(nextAttempt)
  const errors = attempt
    .split(beginsError, maxErrors)
    .filter((text) => errorName.test(text))
    .map(type === earlierType ? readEarlierError : readError)
  const named = errors.find((error) => error.message === message && error.type === type)
  if (named === undefined || errors.length === 1) return [failure]
  return [named, ...errors.filter((error) => error !== named)]
}

function readError(details: string): FailureText {
  const [beginning = '', name = 'Error'] = errorName.exec(details) ?? []
  const [words = ''] = details.split(source, 1)
  const [, not = '', matcherName] = matcher.exec(words) ?? []
  const [message = ''] = words.slice(beginning.length).split('\n', 1)
  return { type: matcherName === undefined ? name : `expect.${not}${matcherName}`, message: message.trim(), details }
}

/** The words of the error are its whole first line here, as `said.ts` gives them for the failure. */
function readEarlierError(details: string): FailureText {
  const [message = ''] = details.split('\n', 1)
  return { type: earlierType, message: message.trim(), details }
}
