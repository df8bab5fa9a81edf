import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SymbolsError } from '../symbols-error.ts'
import { decodeXz } from './decode-xz.ts'

/** What the program xz 5.4 made of the text below, with its best compression and CRC-64, and with its fastest. */
const best = [
  '/Td6WFoAAATm1rRGAgAhARwAAAAQz1jM4AXXAQ5dACoaCKIDPennCwQJlWtWYCceCLJRwmfRRnAOuL8KBbrunRIWhgPOyEj0kROm',
  'q3ip33Hgb5AO6m6bKI2C7MDcvCRXmjA23AR50ssrO28PvZPAQzU7uWhl6b6MMH0sJiW5reZbiCbY0s2ZggQ0KJrm4oxQ1In+DBpN',
  'TXxnkOz4Eqts4qTx+F9pnuHfuApdVa3HMNyNQsElG8UYo8bFpNTNQ/m52Bsk3VZbXFeODW1ai2qATAZl15GohdOiuWK1c3cbPOBV',
  'vx+rQiI8hoS0nSSyPCQhlt3K1BclBJESGZfVjnVYFuWGGuUVC7l9ewpftaQkNwB5CHWv6CLUf3tchFSbVn7ickgRe/CC+ypDKVn4',
  'WgAAAF/cUJ3S+ubLAAGqAtgLAACiy6fuscRn+wIAAAAABFla',
].join('')
const fastest = [
  '/Td6WFoAAAFpIt42AgAhAQwAAACPmEGc4AXXARBdACoaCKIDPennCwQJlWtWYCceCLJRwmfRRnAOuL8KBbrunRIWhgPOyEj0kROm',
  'q3ip33Hgb5AO6m6bKI2C7MDcvCRXmjA23AR50ssrO28PvZPAQzU7uWhl6b6MMH0sJiW5reZbiCbY0s2ZggQ0KJrm4oxQ1In+DBpN',
  'TXxnkOz4Eqts41ldDX7bDSPWCVgRWfajyGqoFGOk8wr6e51chZoXA8lC30r7IJehNkHyLix2sIGYLBDyEUS+uKYk783EQzJj+t4a',
  'lRuxzTm6IVko4K5UTgobtXZAAybFZFicEWm9abC8CB0Fu8SnPTJBxsfn3s9jXaBdAZRBZu9A/XgnaIWWBUCa2bzkHGleArd7jDER',
  '8eb1AGQtD0gAAagC2AsAAKlqb6M+MA2LAgAAAAABWVo=',
].join('')
const text = Buffer.concat([
  Buffer.from('The tide table of the harbour. '.repeat(40)),
  Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
])

describe('symbols that are compressed as xz', () => {
  it('are decoded, and their checksums are checked', () => {
    assert.deepEqual(decodeXz(Buffer.from(best, 'base64'), 10_000), text)
    assert.deepEqual(decodeXz(Buffer.from(fastest, 'base64'), 10_000), text)
  })

  it('are refused beyond the limit', () => {
    assert.throws(() => decodeXz(Buffer.from(best, 'base64'), 1000), { code: 'too-large' })
  })

  it('are refused when any byte of them is another, or when they are cut', () => {
    const bytes = Buffer.from(best, 'base64')
    // The index behind the blocks is not read.
    for (let at = 0; at < bytes.length - 32; at++) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 0x55
      assert.throws(() => decodeXz(changed, 10_000), SymbolsError, `byte ${at}`)
      assert.throws(() => decodeXz(bytes.subarray(0, at), 10_000), SymbolsError, `cut at ${at}`)
    }
  })
})
