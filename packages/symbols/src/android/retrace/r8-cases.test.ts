import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { findFixtures } from '../../../test/fixtures.ts'
import { openMappingText } from '../../../test/open-mapping-text.ts'
import { compileLineExpression, retrace } from '../../index.ts'
import { retraceText } from './retrace.ts'

interface R8Case {
  name: string
  mapping: string
  input: string[]
  regex?: string
  /** The output of R8 9.0.32; null if R8 rejected the mapping. */
  r8_9_0_32_plain: string[] | null
  r8_9_0_32_verbose: string[] | null
}

const folder = findFixtures()

describe(
  'cases of R8 9.0.32, with the output of R8',
  { skip: folder === undefined && 'the fixtures are missing' },
  () => {
    const text = readFileSync(join(folder ?? '', 'r8-retrace-cases.json'), 'utf8')
    const { cases }: { cases: R8Case[] } = JSON.parse(text)

    for (const r8Case of cases) {
      it(r8Case.name, async () => {
        // This package rejects an empty file; R8 reads it as a mapping that obfuscates nothing.
        using mapping = await openMappingText(r8Case.mapping || '# nothing is obfuscated\n')
        const trace = r8Case.input.join('\n')
        const cut = r8Case.regex === undefined ? {} : { parseLine: compileLineExpression(r8Case.regex) }
        const plain = retraceText(trace, mapping, cut)
        if (r8Case.r8_9_0_32_plain) assert.equal(plain, r8Case.r8_9_0_32_plain.join('\n'))
        if (r8Case.r8_9_0_32_verbose) {
          assert.equal(retraceText(trace, mapping, { ...cut, verbose: true }), r8Case.r8_9_0_32_verbose.join('\n'))
        }
        assert.equal(retrace(trace, mapping, cut).text, plain)
      })
    }

    it('all cases of the fixture were run', () => assert.equal(cases.length, 112))
  },
)
