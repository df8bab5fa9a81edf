export interface Failure {
  type: string | null
  message: string | null
  /** The whole text of the failure, where the report has more than a message. */
  details: string | null
}

const maxHead = 2000

const assertion = new RegExp(
  [
    String.raw`\b\w*Assert(?:ion)?(?:Failed)?(?:Error|Exception)\b`,
    String.raw`\b(?:ComparisonFailure|MultipleFailuresError|ExpectationFailed|ERR_ASSERTION|XCTAssert\w*)\b`,
    String.raw`\bDID NOT RAISE\b`, // pytest
    String.raw`\bexpect(?:\.\w+)?\(|^[ \t]*assert\b|^E\s+assert\b|^Expected\b|^Expect(?:ed)? equality`,
  ].join('|'),
  'm',
)

/** Whether a test failed because an assertion did, and not because the product threw an exception. */
export function isAssertion({ type, message, details }: Failure): boolean {
  return [type, message, details].some((text) => text !== null && assertion.test(text.slice(0, maxHead)))
}
