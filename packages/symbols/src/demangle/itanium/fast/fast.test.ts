import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { createRandom } from '../../../../test/random.ts'
import { findFixtures, readVectors } from '../../vectors/read-vectors.ts'
import { demangleByTree } from '../demangle-itanium.ts'
import { demangleFast } from './demangle-fast.ts'

const fixtures = findFixtures()
const shared = join(fixtures ?? '', 'symbols', 'itanium-demangle-vectors.tsv')
const own = join(import.meta.dirname, '..', '..', 'vectors', 'cxx.tsv')
const names = readVectors(fixtures !== undefined && existsSync(shared) ? shared : own).map(({ name }) => name)

/**
 * Returns what the fast path answers if the tree answers something else; '' if they agree or the fast path gives up.
 */
function findDifference(name: string): string {
  for (const form of ['full', 'short'] as const) {
    const fast = demangleFast(name, form === 'short')
    if (fast === undefined) continue
    const exact = demangleByTree(name, form)
    if (fast !== exact) return `${name}\n  ${fast}\n  instead of\n  ${exact}`
  }
  return ''
}

describe('the fast path of the C++ demangler', () => {
  it('gives the same names as the tree', () => {
    assert.deepEqual(names.map(findDifference).filter(Boolean), [])
  })

  it('takes most names', () => {
    const fast = names.filter((name) => demangleFast(name, false) !== undefined)
    assert.ok(fast.length > names.length * 0.6, `${fast.length} of ${names.length}`)
  })

  const rounds = Number(process.env['FAIRLEAD_FUZZ_ROUNDS'] ?? 20_000)

  it(`gives the same names as the tree for mutated names, ${rounds} of them`, () => {
    const random = createRandom(20_261_122)
    const different = Array.from({ length: rounds }, () => findDifference(mutate(random))).filter(Boolean)
    assert.deepEqual(different.slice(0, 5), [])
  })
})

/** Letters and sequences by which names refer to their parts. Most mistakes would show there. */
const pieces = [
  'T_ T0_ DpT_ DpOT0_ S_ S0_ S1_ PF RF A3_ RA4_ OT_ RT_ UlvE_ UlT_E_ UlOT_E0_ Ut_ IiE IJicEE IJEE St Ss Sa C1 D2 CI2',
  'cvb cvT_ XT_E XspT_E Xsr1AE1vE Xntsr1AIT_EE1vE X1vIT_EE Xnt1vE ROT_ LZ L_Z Li5E Lb1E LS_1E NK ZN E KV JE DpRKT_',
  'DpIT_E B3abi Q F M FviE v .x ä',
].flatMap((line) => line.split(' '))

/** Makes one to three changes: inserts a piece, removes letters, or inserts a part of another name. */
function mutate(random: (below: number) => number): string {
  let name = names[random(names.length)] ?? ''
  for (let edits = 1 + random(3); edits > 0; edits--) {
    const at = 2 + random(Math.max(1, name.length - 2))
    const other = names[random(names.length)] ?? ''
    const from = 2 + random(other.length)
    const piece = [pieces[random(pieces.length)], '', other.slice(from, from + 1 + random(20))][random(3)] ?? ''
    name = name.slice(0, at) + piece + name.slice(at + random(2))
  }
  return name
}
