import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createRandom } from '../../../bench/android-mapping.ts'
import { openMappingText } from '../../../test/open-mapping-text.ts'
import { retraceText } from '../retrace/retrace.ts'

const version = '# {"id":"com.android.tools.r8.mapping","version":"2.2"}\n'

/** Creates member lines whose ranges overlap, repeat and nest, between lines with other names. */
function makeLines(random: (limit: number) => number, withNotes: number): string[] {
  return Array.from({ length: 1 + random(12) }, () => {
    const from = random(6)
    const to = from + random(3)
    if (random(8) === 0) return `    int field -> ${'ab'[random(8) === 0 ? 1 : 0]}`
    const range = random(6) === 0 ? '' : `${from}:${to}:`
    const source = random(40)
    const original = [
      '',
      `:${source}`,
      `:${source}:${source}`,
      `:${source}:${source + to - from}`,
      `:${source}:${source + 1}`,
    ]
    const signature = ['void foo()', 'void foo(int)', 'int bar()', 'void a.B.inlined()', 'void a.C.inlined(long)'][
      random(5)
    ]
    const note = random(withNotes) === 1 ? `\n      # {"id":"com.android.tools.r8.synthesized"}` : ''
    const sourceRange = range === '' ? '' : original[random(5)]
    return `    ${range}${signature}${sourceRange} -> ${random(8) === 0 ? 'b' : 'a'}${note}`
  })
}

it('the fast path gives the same frames as the full parser', async () => {
  const random = createRandom(8_121_983)
  const trace = Array.from({ length: 10 }, (_, line) => `\tat x.a(F:${line})\n\tat x.b(F:${line})`).join('\n')
  for (let round = 0; round < 600; round++) {
    // In every other round the mapping has notes that the compiler generated some of the methods.
    const lines = makeLines(random, round % 2 === 0 ? 1 : 5)
    // A note of any kind keeps the lines before it from the fast path.
    using fast = await openMappingText(`${version}com.example.X -> x:\n${lines.join('\n')}\n`)
    using full = await openMappingText(
      `${version}com.example.X -> x:\n${lines.map((line) => `${line}\n    # {"id":"none"}\n`).join('')}`,
    )
    for (const verbose of [false, true]) {
      assert.equal(retraceText(trace, fast, { verbose }), retraceText(trace, full, { verbose }), lines.join('\n'))
    }
  }
})
