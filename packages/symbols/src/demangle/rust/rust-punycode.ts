const [base, minimum, maximum, skew, damp, firstBias, firstCode] = [36, 1, 26, 38, 700, 72, 128]
const maxCode = 0x10ffff

/** Decodes Punycode (RFC 3492) with `_` as its delimiter, as Rust writes it; undefined if it is malformed. */
export function decodeRustPunycode(text: string): string | undefined {
  const delimiter = text.lastIndexOf('_')
  const output = delimiter < 0 ? [] : text.slice(0, delimiter).split('')
  const rest = text.slice(delimiter + 1)
  if (rest === '') return undefined
  let [code, index, bias] = [firstCode, 0, firstBias]
  for (let at = 0; at < rest.length;) {
    const before = index
    let weight = 1
    for (let limit = base; ; limit += base) {
      const digit = toDigit(rest[at++] ?? '')
      if (digit < 0) return undefined
      index += digit * weight
      const threshold = limit <= bias ? minimum : limit >= bias + maximum ? maximum : limit - bias
      if (digit < threshold) break
      weight *= base - threshold
      if (index > Number.MAX_SAFE_INTEGER || weight > Number.MAX_SAFE_INTEGER) return undefined
    }
    const length = output.length + 1
    bias = adapt(index - before, length, before === 0)
    code += Math.floor(index / length)
    index %= length
    if (code > maxCode || (code >= 0xd800 && code <= 0xdfff)) return undefined
    output.splice(index++, 0, String.fromCodePoint(code))
  }
  return output.join('')
}

function toDigit(character: string): number {
  if (character >= 'a' && character <= 'z') return character.charCodeAt(0) - 97
  if (character >= '0' && character <= '9') return character.charCodeAt(0) - 22
  return -1
}

function adapt(delta: number, length: number, isFirst: boolean): number {
  let left = isFirst ? Math.floor(delta / damp) : Math.floor(delta / 2)
  left += Math.floor(left / length)
  let steps = 0
  for (; left > Math.floor(((base - minimum) * maximum) / 2); steps += base) left = Math.floor(left / (base - minimum))
  return steps + Math.floor(((base - minimum + 1) * left) / (left + skew))
}
