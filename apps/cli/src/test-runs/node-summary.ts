/**
 * Reads what node:test prints at its end. A hook of a suite that fails is in its list of failures, but it is no test:
 * the totals do not count it, and the JUnit report says nothing of it.
 *
 *     ℹ fail 1
 *     ℹ cancelled 0
 *
 *     ✖ failing tests:
 *
 *     test at shop.test.js:14:3
 *     ✖ pays (34.779847ms)
 *
 *     test at shop.test.js:22:1
 *     ✖ the suite of the hook (1.177129ms)
 */
const total = /^ℹ (?:fail|cancelled) (\d{1,9})$/
const maxLineLength = 1000

/** Returns a function that takes the output piece by piece, and says when it lists a failure that is of no test. */
export function watchNodeSummary(): (text: string) => string | null {
  let line = ''
  let failed = 0
  let listed: number | null = null
  const read = (text: string): string | null => {
    const [, count] = total.exec(text) ?? []
    if (text.startsWith('ℹ tests ')) [failed, listed] = [0, null]
    else if (count !== undefined) failed += Number(count)
    else if (text.startsWith('✖ failing tests:')) listed = 0
    else if (listed !== null && text.startsWith('test at ')) listed++
    return listed !== null && listed > failed ? `a hook of a suite failed (the last one listed is ${text})` : null
  }
  return (text) => {
    const [first = '', ...others] = text.split('\n')
    let found: string | null = null
    line = (line + first).slice(0, maxLineLength)
    for (const next of others) {
      found ??= read(line.trimEnd())
      line = next.slice(0, maxLineLength)
    }
    return found
  }
}
