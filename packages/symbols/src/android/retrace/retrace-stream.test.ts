import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createRandom } from '../../../bench/android-mapping.ts'
import { openMappingText } from '../../../test/open-mapping-text.ts'
import { retrace, retraceStream } from '../../index.ts'
import { retraceText } from './retrace.ts'

const mappingText = `# {"id":"com.android.tools.r8.mapping","version":"2.2"}
com.example.Outline -> o:
    1:2:void outlined():0:0 -> a
    # {"id":"com.android.tools.r8.outline"}
com.example.Caller -> c:
    1:1:void call():10:10 -> a
    7:7:void call():0:0 -> a
    # {"id":"com.android.tools.r8.outlineCallsite","positions":{"1":8,"2":9},"outline":"Lo;a()V"}
    8:8:void call():20:20 -> a
    9:9:void call():30:30 -> a
`
const trace =
  'e.E: x y\r\n\tat o.a(S:2)\r\n\tat c.a(S:7)\n' +
  'Caused by: d: z\n\n\tat c.a(S:1)\n\tat c.a(S:1)\n\tat o.a(S:1)\n\tat c.a(S:7)\n'

it('gives the same output for chunks of any size', async () => {
  using mapping = await openMappingText(mappingText)
  const expected = retraceText(trace, mapping)
  assert.match(expected, /Caller\.java:30[^]*Caller\.java:10[^]*Caller\.java:20/)
  for (const size of [1, 2, 7, 30, 1000]) {
    const chunks = Array.from({ length: Math.ceil(trace.length / size) }, (_, number) =>
      trace.slice(number * size, (number + 1) * size),
    )
    let written = ''
    for await (const chunk of retraceStream(chunks, mapping)) written += chunk
    assert.equal(written, expected)
  }
})

it('gives bytes for bytes, even if chunks split characters', async () => {
  using mapping = await openMappingText(mappingText)
  const lines = `größe \u{1f600}\n${trace}\tat c.a(S:1) \u{1f600}\nd\r`
  const expected = retraceText(lines, mapping)
  const bytes = Buffer.from(lines)
  for (const size of [1, 3, 50]) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, number) =>
      bytes.subarray(number * size, (number + 1) * size),
    )
    const pieces: Buffer[] = []
    for await (const piece of retraceStream(chunks, mapping)) pieces.push(piece)
    assert.equal(Buffer.concat(pieces).toString(), `${expected}\n`)
    let written = ''
    const units = Array.from({ length: lines.length }, (_, number) => lines.charAt(number))
    for await (const piece of retraceStream(units, mapping)) written += piece
    assert.equal(written, `${expected}\n`)
  }
})

it('joins a line that a chunk of many lines splits', async () => {
  using mapping = await openMappingText(mappingText)
  const chunks = [`${'a log line\n'.repeat(200_000)}\tat c`, '.a(S:1)\n']
  let last = ''
  for await (const piece of retraceStream(chunks, mapping)) last = piece
  assert.equal(last, '\tat com.example.Caller.call(Caller.java:10)\n')
})

it('passes on a line of any length without buffering it', async () => {
  using mapping = await openMappingText(mappingText)
  let length = 0
  for await (const chunk of retraceStream(
    Array.from({ length: 300 }, () => 'x'.repeat(100_000)),
    mapping,
  ))
    length += chunk.length
  assert.ok(length >= 30_000_000)
})

it('gives the same answer from the cache as without it', async () => {
  using mapping = await openMappingText(`${mappingText}com.example.Rewritten -> r:
    4:4:void inlined():23:23 -> a
    4:4:void caller():7 -> a
    # {"id":"com.android.tools.r8.rewriteFrame","conditions":["throws(Le/E;)"],"actions":["removeInnerFrames(1)"]}
com.example.Problem -> p:
`)
  const lines = [
    'e.E: x y',
    'e.F',
    'p: boom',
    'Caused by: p: x y',
    '\tat o.a(S:1)',
    '\tat o.a(S:2)',
    '\tat c.a(S:7)',
    '\tat c.a(S:1)',
    '\tat r.a(S:4)',
    '\tat java.A.b(C:1)',
    'a log line',
    '',
  ]
  const random = createRandom(42)
  const log = Array.from({ length: 20_000 }, () => lines[random(lines.length)]).join('\n')
  // `retrace` does not use the cache.
  assert.equal(retraceText(log, mapping), retrace(log, mapping).text)
  assert.equal(retraceText(log, [mapping, mapping]), retrace(log, [mapping, mapping]).text)
})
