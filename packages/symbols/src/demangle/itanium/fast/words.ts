import { builtinTypes, longBuiltinTypes } from '../builtin-types.ts'
import { operatorFunction, operators } from '../operators.ts'

/** Encodes a word as bytes. */
export const word = (text: string): Uint8Array => new Uint8Array(Buffer.from(text))

type Words = (Uint8Array | undefined)[]

/** Makes a table of words whose index is the character code of a letter. */
const byLetter = (all: Record<string, string>): Words => {
  const words: Words = Array.from({ length: 128 })
  for (const [letter, text] of Object.entries(all)) words[letter.charCodeAt(0)] = word(text)
  return words
}

/** Tables of words that are indexed by letters of the mangled name. */
export interface WordTables {
  /** Builtin types by their letter. */
  builtin: Words
  /** Builtin types that are encoded as `D` and a letter, by that letter. */
  longBuiltin: Words
  /**
   * Names of functions that overload operators, by the two letters of the operator: the index is the first × 128 + the
   * second. Conversion operators are not in the table.
   */
  operator: Words
}

export function createWordTables(): WordTables {
  const operator: Words = Array.from({ length: 128 * 128 })
  for (const [letters, meaning] of Object.entries(operators)) {
    const name = meaning.kind === 'cast' ? undefined : operatorFunction(meaning)
    if (name !== undefined) operator[letters.charCodeAt(0) * 128 + letters.charCodeAt(1)] = word(name)
  }
  return { builtin: byLetter(builtinTypes), longBuiltin: byLetter(longBuiltinTypes), operator }
}
