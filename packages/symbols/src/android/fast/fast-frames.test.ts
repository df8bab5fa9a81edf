import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createRandom } from '../../../bench/android-mapping.ts'
import { openMappingText } from '../../../test/open-mapping-text.ts'
import { retrace } from '../../index.ts'
import { retraceText } from '../retrace/retrace.ts'

const mappingText = `# {"id":"com.android.tools.r8.mapping","version":"2.2"}
com.example.One -> a.a:
# {"id":"sourceFile","fileName":"Numbers.kt"}
    1:3:void com.example.Inlined.run(int):10:12 -> a
    1:3:void start():20 -> a
    4:4:void <init>():30:30 -> <init>
    5:5:int count():40:42 -> a
    6:6:int twice(long) -> b
    6:6:int thrice(int):7:7 -> b
    7:9:void zero():0:0 -> c
com.example.Two -> b:
    1:9:void made():5:5 -> a
      # {"id":"com.android.tools.r8.synthesized"}
    10:19:void com.example.One.moved():50:59 -> b
com.example.Three -> c.é:
    1:9:void größe():1:9 -> d
com.example.UtilKt -> u:
    1:9:void com.example.UtilKt.own():1:9 -> a
    1:9:void outer():3 -> a
    10:12:void com.example.Outer$Inner.moved():4:4 -> b
    10:12:void other():5 -> b
      # {"id":"com.android.tools.r8.synthesized"}
com.example.Outer$Inner -> o:
# {"id":"com.android.tools.r8.synthesized"}
# {"id":"sourceFile","fileName":"Seen.kt"}
    1:9:void com.example.$.odd():1:9 -> a
    1:9:void com.example.Twice.run():2:10 -> a
com.example.Größe -> g:
    1:9:void a():1:9 -> a
com.example.Empty -> e:
# {"id":"sourceFile","fileName":""}
    1:9:void a():1:9 -> a
com.example.Escaped -> x:
# {"id":"sourceFile","fileName":"A\\u0042.kt"}
    1:9:void a():1:9 -> a
    1:9:void com.example.Größe.b():1:9 -> b
com.example.Twice -> t:
    1:9:void a():1:9 -> a
com.example.Twice -> t2:
# {"id":"sourceFile","fileName":"Second.java"}
    1:9:void a():1:9 -> a
`

const classes = ['a.a', 'b', 'c.é', 'no.such', 'loader//a.a', 'a.1', 'u', 'o', 'g', 'e', 'x', 't', 't2']
const methods = ['a', 'b', 'c', 'd', '<init>', '1']
const files = ['SourceFile', 'X.kt', '', 'Native Method', 'a:b']
const before = ['\tat ', 'at ', '  at  ', 'I/Tag: at ', '\u00a0at ', 'at at ', 'catch ']
const after = [')', ') ', ') ~[app.jar]', '', '))', ')x', ')\r', '\r)']

it('the fast path gives the same text as the full path', async () => {
  using mapping = await openMappingText(mappingText)
  const random = createRandom(77_041)
  const pick = (list: readonly string[]) => list[random(list.length)] ?? ''
  for (let round = 0; round < 600; round++) {
    const lines = Array.from({ length: 12 }, () => {
      const line = random(5) === 0 ? '' : `:${random(20)}`
      return `${pick(before)}${pick(classes)}.${pick(methods)}(${pick(files)}${line}${random(2) ? ')' : pick(after)}`
    })
    const trace = `${random(2) ? 'b: message\n' : ''}${lines.join('\n')}`
    // `retrace`, which also returns frames, never takes the fast path.
    assert.equal(retraceText(trace, mapping), retrace(trace, mapping).text, trace)
  }
})

it('the text is the same after the answer cache has overflowed', async () => {
  const long = `com.example.${'Long'.repeat(90)}`
  using mapping = await openMappingText(
    `${long} -> a:\n    1:9999:void ${long}.inlined():1:9999 -> a\n    1:9999:void outer():7 -> a\n`,
  )
  const lines = Array.from({ length: 12_000 }, (_, number) => `\tat a.a(F:${number % 9999})`)
  const trace = lines.flatMap((line) => [line, line, line]).join('\n')
  assert.equal(retraceText(trace, mapping), retrace(trace, mapping).text)
})
