import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createRandom } from '../../../bench/android-mapping.ts'
import { openMappingText } from '../../../test/open-mapping-text.ts'
import { retrace, SymbolsError } from '../../index.ts'

const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_121)
const rounds = Number(process.env['FUZZ_ROUNDS'] ?? 500)

const rewriteNote =
  '# {"id":"com.android.tools.r8.rewriteFrame","conditions":["throws(Ljava/lang/Error;)"],' +
  '"actions":["removeInnerFrames(1)"]}'
const mappingText = `# compiler: R8
# {"id":"com.android.tools.r8.mapping","version":"2.2"}
com.example.Foo -> a.a:
# {"id":"sourceFile","fileName":"Foo.kt"}
    int field -> a
    # {"id":"com.android.tools.r8.residualsignature","signature":"Z"}
    1:1:void com.example.Bar.inlined(int,java.lang.String[]):40:44 -> a
    1:1:void foo():12 -> a
    ${rewriteNote}
    2:5:void foo():13:16 -> a
    0:65535:void <init>():3:3 -> <init>
    void other(long) -> b
    # {"id":"com.android.tools.r8.residualsignature","signature":"(J)V"}
    7:7:void foo():0:0 -> a
    # {"id":"com.android.tools.r8.outlineCallsite","positions":{"1":4,"2":5},"outline":"La/b;a()V"}
com.example.Outline -> a.b:
# {'id':'com.android.tools.r8.synthesized'}
    1:2:void outlined():0:1 -> a
    # {'id':'com.android.tools.r8.outline'}
`
const trace = [
  'Exception in thread "main" java.lang.Error: a b',
  '\tat a.a.a(SourceFile:1)',
  '\tat java.base/a.a.<init>(:9)',
  '\tat a.b.a(S:1)',
  '\tat a.a.a(S:7)',
  '\tat a.a.b(r8-map-id-7bd0fe1) ~[x.jar]',
  'Caused by: a.a: boom',
  '\t[CIRCULAR REFERENCE: a.a]',
  '',
].join('\n')

function mutate(bytes: Buffer, random: (limit: number) => number): Buffer {
  let mutated = Buffer.from(bytes)
  for (let count = 1 + random(6); count > 0; count--) {
    const at = random(mutated.length)
    const length = random(30)
    const [before, piece, after] = [
      mutated.subarray(0, at),
      mutated.subarray(at, at + length),
      mutated.subarray(at + length),
    ]
    const change = random(5)
    if (change === 0) mutated[at] = random(256)
    else if (change === 1) mutated = Buffer.concat([before, after])
    else if (change === 2) mutated = Buffer.concat([before, piece, piece, after])
    else if (change === 3)
      mutated = Buffer.concat([
        before,
        Buffer.from(['9999999999', '\n', '{', '->', ':', '"', '<', '\u{1f600}', '\r'][random(9)] ?? ''),
        piece,
        after,
      ])
    else mutated = Buffer.concat([after, piece, before])
    if (mutated.length === 0) return mutated
  }
  return mutated
}

it(`gives a result or a SymbolsError for ${rounds} mutations of a mapping and a trace`, async () => {
  const random = createRandom(seed)
  for (let round = 0; round < rounds; round++) {
    const bytes = mutate(Buffer.from(mappingText), random)
    const lines = mutate(Buffer.from(trace), random).toString('utf8')
    try {
      using mapping = await openMappingText(bytes)
      for (const verbose of [false, true]) {
        const { text } = retrace(lines, mapping, { verbose })
        assert.equal(typeof text, 'string')
      }
    } catch (error) {
      assert.ok(error instanceof SymbolsError, `seed ${seed}, round ${round}: ${String(error)}`)
    }
  }
})
