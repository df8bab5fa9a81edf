/**
 * Writes a JUnit report of a given size, the same bytes every time: suites of 40 cases, of which one in 20 fails with a
 * stack trace and one in 5 has an output, half of them in CDATA sections.
 */
import { closeSync, openSync, writeSync } from 'node:fs'

const casesPerSuite = 40

export function writeReport(path: string, bytes: number): void {
  const random = createRandom(20261121)
  const file = openSync(path, 'w')
  let written = write(file, '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="bench">\n')
  for (let suite = 0; written < bytes; suite++) {
    const cases = Array.from({ length: casesPerSuite }, (_, index) => writeCase(suite, index, random))
    const name = `com.example.shop.module${suite % 97}.Suite${suite}Test`
    const attributes = `name="${name}" tests="${casesPerSuite}" time="1.5"`
    const output = `<system-out><![CDATA[suite ${suite} started\n${line(random).repeat(8)}]]></system-out>`
    written += write(file, `  <testsuite ${attributes}>\n${cases.join('')}    ${output}\n  </testsuite>\n`)
  }
  write(file, '</testsuites>\n')
  closeSync(file)
}

function writeCase(suite: number, index: number, random: () => number): string {
  const className = `com.example.shop.module${suite % 97}.Suite${suite}Test`
  const names = `name="keeps the cart of customer ${index} &amp; shows it" classname="${className}"`
  const start = `    <testcase ${names} time="${random().toFixed(3)}"`
  if (index % 20 === 3) return `${start}>\n${writeFailure(className, random)}    </testcase>\n`
  if (index % 5 === 1) {
    const text = line(random).repeat(12)
    const output = index % 2 === 0 ? text.replaceAll('<', '&lt;') : `<![CDATA[${text}]]>`
    return `${start}>\n      <system-out>${output}</system-out>\n    </testcase>\n`
  }
  return `${start}/>\n`
}

function writeFailure(className: string, random: () => number): string {
  const frames = Array.from({ length: 30 }, () => {
    const [layer, line] = [Math.floor(random() * 50), Math.floor(random() * 900)]
    return `\tat com.example.shop.internal.Layer${layer}.call(Layer.java:${line})\n`
  })
  const own = `\tat ${className}.keepsTheCart(CartTest.java:${Math.floor(random() * 900)})\n`
  const text = `java.lang.AssertionError: expected:&lt;2&gt; but was:&lt;1&gt;\n${own}${frames.join('')}`
  const attributes = 'message="expected:&lt;2&gt; but was:&lt;1&gt;" type="java.lang.AssertionError"'
  return `      <failure ${attributes}>${text}</failure>\n`
}

function line(random: () => number): string {
  const [a, b] = [Math.floor(random() * 1e9), Math.floor(random() * 1e9)]
  const head = `12:00:0${a % 10}.${a % 1000} DEBUG [worker-${a % 8}]`
  return `${head} request ${a} <cart> answered in ${b % 500} ms with ${b} bytes\n`
}

function write(file: number, text: string): number {
  return writeSync(file, text)
}

/** A linear congruential generator. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
