/** Writes a JUnit report of cases, each with the message of its failure if it failed. */
export const toReport = (...cases: [name: string, failure?: string][]) =>
  `<testsuite name="unit">${cases
    .map(([name, failure]) => {
      const inner = failure === undefined ? '' : `<failure message="${failure}" type="AssertionError"/>`
      return `<testcase classname="shop.CartTest" name="${name}" time="0.1">${inner}</testcase>`
    })
    .join('')}</testsuite>`
