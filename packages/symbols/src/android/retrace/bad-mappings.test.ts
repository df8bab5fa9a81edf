import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { findFixtures } from '../../../test/fixtures.ts'
import { openMappingText } from '../../../test/open-mapping-text.ts'
import { retrace } from '../../index.ts'

const folder = findFixtures()
const trace = 'java.lang.NullPointerException\n\tat a.a.a(F:1)\n\tat a.a.b(F:3)'

/** Restores the trace with a mapping of the fixtures. */
async function retraceBad(name: string) {
  using mapping = await openMappingText(readFileSync(join(folder ?? '', 'bad', name)))
  return retrace(trace, mapping)
}

const rejected = [
  'map-empty',
  'map-binary',
  'map-utf16',
  'map-is-html',
  'map-cr',
  'map-class-no-colon',
  'map-long-line-8mb',
]

/** The first frame of the answer, for mappings that can be read. */
const answers: Record<string, string> = {
  'map-comments-only': '\tat a.a.a(F:1)',
  'map-bom': '\tat com.example.Foo.bar(Foo.java:10)',
  'map-crlf': '\tat com.example.Foo.bar(Foo.java:10)',
  'map-nul': '\tat com.example.Foo.a(Foo.java:1)',
  'map-member-before-class': '\tat com.example.Foo.bar(Foo.java:10)',
  'map-duplicate-class': '\tat com.example.Foo.bar(Foo.java:10)',
  'map-two-classes-one-name': '\tat com.example.Bar.bar(Bar.java:10)',
  'map-range-inverted': '\tat com.example.Foo.a(Foo.java:1)',
  'map-line-2e31': '\tat com.example.Foo.bar(Foo.java:10)',
  'map-negative': '\tat com.example.Foo.a(Foo.java:1)',
  'map-json-bad': '\tat com.example.Foo.bar(Foo.java:10)',
  'map-json-deep': '\tat com.example.Foo.bar(Foo.java:10)',
  'map-version-99': '\tat com.example.Foo.bar(Foo.java:10)',
  'map-rewrite-removes-all': '\tat com.example.Foo.bar(Foo.java:10)',
  'map-outline-loop': '\tat O.b(O.java:3)',
  'map-ambiguous-20000': '\tat com.example.Foo.m0(Foo.java:1)',
  'map-inline-20000': '\tat com.example.I0.m(I0.java)',
  'map-catchall': '\tat com.example.Foo.foo(Foo.java:33)',
}

describe('hostile and broken mappings', { skip: folder === undefined && 'the fixtures are missing' }, () => {
  for (const name of rejected) {
    it(`${name} is rejected`, async () => {
      await assert.rejects(retraceBad(`${name}.txt`), { name: 'SymbolsError', code: 'malformed-mapping' })
    })
  }

  for (const [name, frame] of Object.entries(answers)) {
    it(`${name} is read as far as possible`, async () => {
      const { text } = await retraceBad(`${name}.txt`)
      assert.equal(text.split('\n')[1], frame)
      assert.ok(text.length < 100_000)
    })
  }

  it('two classes with the same name give two alternatives', async () => {
    const { text } = await retraceBad('map-two-classes-one-name.txt')
    assert.equal(text.split('\n')[2], '\t<OR> at com.example.Foo.bar(Foo.java:10)')
  })

  it('20,000 alternatives are truncated, and the answer says so', async () => {
    const lines = (await retraceBad('map-ambiguous-20000.txt')).text.split('\n')
    assert.equal(lines[501], '\t... 19500 more alternatives')
  })

  it('20,000 inlined frames are truncated with a warning', async () => {
    const { text, warnings } = await retraceBad('map-inline-20000.txt')
    assert.ok(text.split('\n').length < 600)
    assert.match(warnings.join(), /20000 inlined frames/)
  })

  it('malformed lines and notes give warnings', async () => {
    for (const [name, warning] of [
      ['map-json-bad', /note is malformed/],
      ['map-json-deep', /note is malformed/],
      ['map-version-99', /version '99.0' is unknown/],
      ['map-negative', /line is malformed/],
      ['map-nul', /line is malformed/],
    ] as const) {
      assert.match((await retraceBad(`${name}.txt`)).warnings.join(), warning)
    }
  })
})

describe('the size of an answer', () => {
  it('is limited for a few lines with deep inline stacks', async () => {
    const inlined = Array.from({ length: 400 }, (_, number) => `    1:1:void a.b.C${number}.m():${number} -> a\n`).join(
      '',
    )
    using mapping = await openMappingText(`com.example.Foo -> a:\n${inlined}`)
    const { text, warnings } = retrace('\tat a.a(F:1)\n'.repeat(20_000), mapping)
    assert.ok(text.length < 40_000_000)
    assert.match(warnings.join(), /were not restored/)
  })

  it('is limited for a range of all lines with a deep inline stack', async () => {
    const callers = Array.from(
      { length: 5000 },
      (_, number) => `    1:1:void a.b.C${number}.m():${number} -> a\n`,
    ).join('')
    using mapping = await openMappingText(`com.example.Foo -> a:\n    1:1:void x():1:2000000000 -> a\n${callers}`)
    assert.ok(retrace('\tat a.a(F:1)', mapping).text.length < 40_000_000)
  })
})
