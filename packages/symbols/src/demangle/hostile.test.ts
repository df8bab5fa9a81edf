import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { demangle } from './demangle.ts'
import { limits } from './limits.ts'
import { readVectors } from './vectors/read-vectors.ts'

const base36 = (value: number): string => value.toString(36).toUpperCase()

function repeat(count: number, write: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => write(index)).join('')
}

/** Names that would cost much time, memory or stack without limits. */
const hostile: Record<string, string> = {
  'C++ pointers to pointers': `_Z1f${'P'.repeat(60_000)}i`,
  'C++ templates in templates': `_Z1f${'St6vectorI'.repeat(6000)}`,
  'C++ types doubled by substitution': `_Z1f1AIiE${repeat(60, (i) => `S_IS${base36(i)}_S${base36(i)}_E`)}`,
  'C++ qualifiers of substitutions': `_Z1fPi${repeat(9000, (i) => `VKS${i === 0 ? '' : base36(i - 1)}_`)}`,
  'C++ packs expanded many times': `_Z1fIJ${'i'.repeat(20_000)}EEv${'DpT_'.repeat(10_000)}`,
  'C++ arrays of a long pack': `_Z5sizesIJ${'i'.repeat(60_000)}EEvDpRA3_T_`,
  'C++ functions in functions': `_Z${'Z1fv'.repeat(15_000)}`,
  'C++ operators without operands': `_Z1fIX${'pl'.repeat(30_000)}`,
  'C++ one long number': `_Z${'9'.repeat(65_000)}`,
  'C++ one long substitution': `_ZS${'Z'.repeat(65_000)}_`,
  'C++ argument packs in packs': `_Z1fI${'J'.repeat(60_000)}`,
  'C++ declared arguments': `_Z1fI${'Tp'.repeat(30_000)}`,
  'C++ braces in braces': `_Z1fIXil${'dx0'.repeat(20_000)}`,
  'Swift optionals of optionals': `$sSi${'Sg'.repeat(30_000)}D`,
  'Swift contexts in contexts': `$s1a${'1bV'.repeat(20_000)}N`,
  'Swift functions of functions': `$sy${'yyc'.repeat(20_000)}D`,
  'Swift repeated substitutions': `$s${'S2048i'.repeat(10_000)}t`,
  'Swift parameters without end': `$sxr${'2147483646_'.repeat(5000)}luD`,
  'Swift tuples doubled by substitution': `$sSiSg${repeat(24, (i) => {
    const letter = String.fromCharCode(65 + i)
    return `A${letter}_A${letter}tSg`
  })}D`,
  'Swift Punycode of one point': `$s0060000_${'a'.repeat(60_000)}V`,
  'Swift words of words': `$s${'5HelloV0aA0'.repeat(5000)}`,
}

describe('hostile names', () => {
  for (const [what, name] of Object.entries(hostile)) {
    it(`limits the cost of ${what}`, () => {
      for (const form of ['full', 'short'] as const) {
        const shown = demangle(name, { form })
        assert.ok(shown === name || shown.length <= limits.outputLength)
      }
    })
  }

  it('shows a name over the limit of length as it is', () => {
    const name = `_Z${limits.nameLength}${'a'.repeat(limits.nameLength)}v`
    assert.equal(demangle(name), name)
  })

  it('terminates for names nested inside names', () => {
    let name = '$s1a1fyyF'
    for (let i = 0; i < 200; i++) name = `$s1a1gyyF${name.length}${name}Tf1pf_n`
    assert.notEqual(demangle(name), '')
  })
})

/** Creates a generator of numbers from 0 to below `below`; equal seeds give equal numbers. */
function random(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

describe('mutated names', () => {
  const rounds = Number(process.env['FAIRLEAD_FUZZ_ROUNDS'] ?? 20_000)

  it(`are demangled or shown as they are, ${rounds} of them`, () => {
    const folder = join(import.meta.dirname, 'vectors')
    const names = ['cxx.tsv', 'swift.tsv'].flatMap((file) => readVectors(join(folder, file)).map(({ name }) => name))
    const pick = random(20_261_121)
    for (let round = 0; round < rounds; round++) {
      const name = mutate(names[pick(names.length)] ?? '', names, pick)
      for (const form of ['full', 'short'] as const) {
        const shown = demangle(name, { form })
        assert.ok(shown !== '' && shown.length <= limits.outputLength, name)
      }
    }
  })
})

const alphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789__SSTTIIEEJX$.'

/**
 * Makes one to three changes behind the prefix: changes, removes or inserts a letter, or inserts a piece of another
 * name.
 */
function mutate(original: string, names: string[], pick: (below: number) => number): string {
  let name = original
  for (let edits = 1 + pick(3); edits > 0; edits--) {
    const at = 2 + pick(Math.max(1, name.length - 2))
    const letter = alphabet.charAt(pick(alphabet.length))
    const other = names[pick(names.length)] ?? ''
    const piece = other.slice(2 + pick(other.length)).slice(0, 1 + pick(12))
    const middle = [letter, '', letter + name.charAt(at), piece + name.charAt(at)][pick(4)] ?? ''
    name = name.slice(0, at) + middle + name.slice(at + 1)
  }
  return name
}
