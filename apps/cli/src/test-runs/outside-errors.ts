/**
 * Finds in the output of test tools errors that happened outside of tests: a file that cannot be loaded, a worker
 * process that was killed, an error that no test caught. Most reports do not have them.
 */
import type { Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { watchNodeSummary } from './node-summary.ts'

const errors = new RegExp(
  [
    String.raw`Unhandled (?:Errors?|Rejections?)\b`, // Vitest
    String.raw`Failed Suites \d`,
    String.raw`(?:^|\n)error during close\b`,
    String.raw`Test suite failed to run`, // Jest
    String.raw`Jest: Got error running global(?:Setup|Teardown)`,
    String.raw`jest worker process .{0,80}was terminated`,
    String.raw`INTERNALERROR>`, // pytest
    String.raw`\d+ errors? during collection`,
    String.raw`worker '\w+' crashed while running`,
    String.raw`errors? (?:was|were) not a part of any test`, // Playwright
    String.raw`Exception during run:`, // Mocha
    String.raw`Failed launching test session|Unable to load spec files`, // WebdriverIO
    String.raw`Runner \S{1,20} was terminated by|Error in onCompleteHook`,
    String.raw`Test process encountered an unexpected problem`, // Gradle
    String.raw`The forked VM terminated without`, // Maven
    String.raw`(?:^|\n)panic: `, // Go
    String.raw`\[  FAILED  \] [^\n]{1,150}: SetUpTest\w{4,5} or TearDownTest`, // GoogleTest
    String.raw`[Cc]overage .{0,60}does not meet .{0,60}threshold`, // Jest, Vitest, c8, node:test
    String.raw`Required test coverage of \S{1,20} not reached|Coverage failure: total of`, // pytest-cov
    String.raw`(?:^|\n)[ \t]*\d+ did not run\b`, // Playwright, for tests after one that failed
    // Gradle and Maven, for other tasks than those that run tests. Only a whole line tells which it is.
    String.raw`Execution failed for task '[^'\n]{1,100}'\.\s*\n> (?!There were failing tests)[^\n]*\n`,
    String.raw`Failed to execute goal (?!\S*(?:surefire|failsafe)-plugin)\S+ \(`,
  ].join('|'),
)
/** The summary of Vitest, whose report has tests that `bail` left out as passed: `Tests  1 failed | 3 passed (7)`. */
const summary = /(?:^|\n)[ \t]*Tests[ \t]+(\d+ [a-z ]+(?:\| \d+ [a-z ]+)*)\((\d+)\)/

function findUnrun(text: string): string | null {
  const [line, parts = '', total] = summary.exec(text) ?? []
  if (line === undefined) return null
  const counted = parts.split('|').reduce((sum, part) => sum + Number.parseInt(part, 10), 0)
  return counted < Number(total) ? line : null
}

/** An error may lie across two chunks of the output. */
const overlap = 200

export interface OutputWatch {
  /** Takes a chunk on its way to `target`. Returns whether more may be written now. */
  write: (chunk: Buffer, target: Writable) => boolean
  /** The first error outside of tests; null if there was none. */
  readonly found: string | null
}

/** A stream that the output goes to. */
interface Stream {
  decoder: StringDecoder
  end: string
  readNodeSummary: (text: string) => string | null
}

export function watchOutput(): OutputWatch {
  const streams = new Map<Writable, Stream>()
  let found: string | null = null
  return {
    get found() {
      return found
    },
    write(chunk, target) {
      if (found === null) {
        const stream = streams.get(target) ?? {
          decoder: new StringDecoder('utf8'),
          end: '',
          readNodeSummary: watchNodeSummary(),
        }
        // oxlint-disable-next-line no-control-regex -- colours are escape sequences
        const piece = stream.decoder.write(chunk).replaceAll(/\u001b\[[0-9;]*m/g, '')
        const text = stream.end + piece
        const error = errors.exec(text)?.[0] ?? findUnrun(text) ?? stream.readNodeSummary(piece)
        found = error === null ? null : error.trim().replaceAll(/\s+/g, ' ')
        stream.end = text.slice(-overlap)
        streams.set(target, stream)
      }
      return target.write(chunk)
    },
  }
}
