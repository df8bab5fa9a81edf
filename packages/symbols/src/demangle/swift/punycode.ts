/**
 * Punycode (RFC 3492) as Swift uses it: `_` separates the ASCII letters from the rest, digits are a–z then A–J, and
 * ASCII characters that symbols may not contain are encoded as code points of the surrogate range, 0xD800 + character.
 */
const base = 36
const tMin = 1
const tMax = 26
const skew = 38
const damp = 700
const initialBias = 72
const initialCode = 0x80

/** Decodes Punycode; undefined if `input` is malformed. */
export function decodePunycode(input: string): string | undefined {
  const delimiter = input.lastIndexOf('_')
  const output = Array.from({ length: Math.max(delimiter, 0) }, (_, i) => input.charCodeAt(i))
  let code = initialCode
  let at = 0
  let bias = initialBias
  for (let pos = delimiter > 0 ? delimiter + 1 : 0; pos < input.length;) {
    const before = at
    let weight = 1
    for (let k = base; ; k += base) {
      const digit = toDigit(input.charCodeAt(pos++))
      if (digit === undefined) return undefined
      at += digit * weight
      if (at > 0x7fff_ffff) return undefined
      const threshold = Math.min(Math.max(k - bias, tMin), tMax)
      if (digit < threshold) break
      weight *= base - threshold
    }
    bias = adapt(at - before, output.length + 1, before === 0)
    code += Math.floor(at / (output.length + 1))
    at %= output.length + 1
    if (code > 0x10_ffff) return undefined
    output.splice(at++, 0, code)
  }
  return output.map((point) => String.fromCodePoint(fromSurrogate(point))).join('')
}

const fromSurrogate = (point: number): number => (point >= 0xd800 && point < 0xd880 ? point - 0xd800 : point)

function toDigit(char: number): number | undefined {
  if (char >= 97 && char <= 122) return char - 97
  if (char >= 65 && char <= 74) return char - 65 + 26
  return undefined
}

function adapt(distance: number, points: number, first: boolean): number {
  let delta = Math.floor(distance / (first ? damp : 2))
  delta += Math.floor(delta / points)
  let k = 0
  for (; delta > ((base - tMin) * tMax) / 2; k += base) delta = Math.floor(delta / (base - tMin))
  return k + Math.floor(((base - tMin + 1) * delta) / (delta + skew))
}
