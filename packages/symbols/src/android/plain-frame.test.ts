import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createRandom } from '../../bench/android-mapping.ts'
import { openMappingText } from '../../test/open-mapping-text.ts'
import { retrace, retraceText } from '../index.ts'

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
`

const classes = ['a.a', 'b', 'c.é', 'no.such', 'loader//a.a', 'a.1']
const methods = ['a', 'b', 'c', 'd', '<init>', '1']
const files = ['SourceFile', 'X.kt', '', 'Native Method', 'a:b']
const before = ['\tat ', 'at ', '  at  ', 'I/Tag: at ', '\u00a0at ', 'at at ', 'catch ']
const behind = [')', ') ', ') ~[app.jar]', '', '))', ')x']

it('answers frame by frame what it answers for the text', async () => {
  using mapping = await openMappingText(mappingText)
  const random = createRandom(77_041)
  const pick = (list: readonly string[]) => list[random(list.length)] ?? ''
  for (let round = 0; round < 300; round++) {
    const lines = Array.from({ length: 12 }, () => {
      const line = random(5) === 0 ? '' : `:${random(20)}`
      return `${pick(before)}${pick(classes)}.${pick(methods)}(${pick(files)}${line}${random(2) ? ')' : pick(behind)}`
    })
    const trace = `${random(2) ? 'b: message\n' : ''}${lines.join('\n')}`
    // What gives frames goes the way that all lines can go.
    assert.equal(retraceText(trace, mapping), retrace(trace, mapping).text, trace)
  }
})
