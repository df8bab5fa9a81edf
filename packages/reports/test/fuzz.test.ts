/** Mutates uploads with a fixed seed. Each is read or refused with a ReportsError; nothing else may be thrown. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { writeZip } from '@fairlead/binary/fixture'
import { ReportsError } from '../src/index.ts'
import { readUpload, suite, testcase } from './read-upload.ts'

const rounds = 60 * Number(process.env['REPORTS_FUZZ_ROUNDS'] ?? 1)

const junit = suite(
  testcase('one', '<failure message="a &amp; b">at a.B(B.java:1)</failure><rerunError/>') +
    testcase('two', '<system-out><![CDATA[x [[ATTACHMENT|a.txt]] ]]></system-out><skipped type="todo"/>') +
    testcase('three', '<properties><property name="repetition" value="Retry 1"/></properties>'),
)
const ctrf = JSON.stringify({
  results: {
    tests: [
      { name: 'a', status: 'failed', duration: 5, suite: ['x'], retries: 1, retryAttempts: [{ status: 'failed' }] },
    ],
  },
})
const tree = JSON.stringify({
  testNodes: [
    {
      nodeType: 'Test Case',
      name: 'a',
      nodeIdentifier: 'B/a()',
      children: [{ nodeType: 'Repetition', result: 'Failed' }],
    },
  ],
})
const log = 'INSTRUMENTATION_STATUS: class=a.B\nINSTRUMENTATION_STATUS: test=one\nINSTRUMENTATION_STATUS_CODE: 1\n'
const allure = JSON.stringify({
  uuid: 'u',
  name: 'n',
  status: 'passed',
  steps: [{ attachments: [{ source: 'a.txt' }] }],
})
const uploads: Record<string, Buffer> = {
  'JUnit XML': Buffer.from(junit),
  'UTF-16': Buffer.from(junit, 'utf16le'),
  CTRF: Buffer.from(ctrf),
  xcresulttool: Buffer.from(tree),
  'am instrument': Buffer.from(log.repeat(3)),
  'a zip': writeZip([
    { name: 'r/attempt-1/a.xml', data: Buffer.from(junit), deflate: true },
    { name: 'r/b-result.json', data: Buffer.from(allure) },
    { name: 'r/a.txt', data: Buffer.from('x') },
  ]),
}

describe('a mutated upload', () => {
  for (const [name, bytes] of Object.entries(uploads)) {
    it(`is read or refused: ${name}`, async () => {
      const random = createRandom(name.length * 7919)
      let refused = 0
      for (let round = 0; round < rounds; round++) {
        const mutated = mutate(bytes, random)
        const report = await readUpload(mutated).catch((error: unknown) => {
          if (error instanceof ReportsError) return null
          throw new Error(`Round ${round}: ${mutated.toString('base64')}`, { cause: error })
        })
        if (report === null) refused++
        else assert.equal(report.counts.cases, report.cases.length)
      }
      assert.ok(refused < rounds, 'some are read')
    })
  }
})

/** Changes, inserts, removes or repeats a few bytes. */
function mutate(bytes: Buffer, random: () => number): Buffer {
  let mutated = Buffer.from(bytes)
  const pick = (most: number) => Math.floor(random() * most)
  for (let count = 1 + pick(3); count > 0; count--) {
    const at = pick(mutated.length)
    const [before, after] = [mutated.subarray(0, at), mutated.subarray(at)]
    const kind = pick(4)
    const part = Buffer.from(kind === 3 ? after.subarray(0, pick(40)) : [pick(256)])
    mutated = Buffer.concat([
      before,
      kind === 2 ? Buffer.alloc(0) : part,
      kind === 0 || kind === 2 ? after.subarray(1) : after,
    ])
  }
  return mutated
}

/** A linear congruential generator. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
