import { builtinTypes, longBuiltinTypes } from '../builtin-types.ts'
import { operatorFunction, operators } from '../operators.ts'

/** A word as bytes. */
export const word = (text: string): Uint8Array => new Uint8Array(Buffer.from(text))

type Words = (Uint8Array | undefined)[]

/** By the code of a letter. */
const byLetter = (all: Record<string, string>): Words => {
  const words: Words = Array.from({ length: 128 })
  for (const [letter, text] of Object.entries(all)) words[letter.charCodeAt(0)] = word(text)
  return words
}

export const builtinWords = byLetter(builtinTypes)
/** After `D`. */
export const longBuiltinWords = byLetter(longBuiltinTypes)

/** Names of the functions that overload operators, by their two letters: the first × 128 + the second. Conversions are not among them. */
export const operatorWords: Words = Array.from({ length: 128 * 128 })
for (const [letters, operator] of Object.entries(operators)) {
  const name = operator.kind === 'cast' ? undefined : operatorFunction(operator)
  if (name !== undefined) operatorWords[letters.charCodeAt(0) * 128 + letters.charCodeAt(1)] = word(name)
}
