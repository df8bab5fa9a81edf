import { branch, isDeclName, leaf, type Node } from './node.ts'
import type { Parser } from './parser.ts'
import { decodePunycode } from './punycode.ts'

const maxWords = 26

/**
 * Parses an identifier: `5hello`; after one `0`, literal parts and references to earlier words (in `0a5World`, `a` is
 * such a word, and an upper-case letter marks the last one); after `00`, a Punycode string.
 */
export function parseIdentifier(parser: Parser): Node | undefined {
  const first = parser.peek()
  if (first < '0' || first > '9') return undefined
  let words = false
  let punycode = false
  if (parser.skip('0')) {
    punycode = parser.skip('0')
    words = !punycode
  }
  let text = ''
  do {
    for (; words && isLetter(parser.peek());) {
      const letter = parser.next()
      const isLast = letter <= 'Z'
      const word = parser.words[letter.charCodeAt(0) - (isLast ? 65 : 97)]
      if (word === undefined) return undefined
      text += word
      if (isLast) words = false
    }
    if (parser.skip('0')) break
    const length = parser.natural()
    if (!length) return undefined
    if (punycode) parser.skip('_')
    const part = parser.text.slice(parser.pos, parser.pos + length)
    if (part.length < length) return undefined
    if (punycode) {
      const decoded = decodePunycode(part)
      if (decoded === undefined) return undefined
      text += decoded
    } else {
      text += part
      rememberWords(parser, part)
    }
    parser.pos += length
  } while (words)
  return text === '' ? undefined : parser.remember(leaf('Identifier', text))
}

const isLetter = (char: string): boolean => (char >= 'a' && char <= 'z') || (char >= 'A' && char <= 'Z')
const isUpper = (char: string): boolean => char >= 'A' && char <= 'Z'

/** Remembers the words of an identifier, which are its camel-case or snake-case parts of two letters or more. */
function rememberWords({ words }: Parser, part: string): void {
  let start = -1
  for (let i = 0; i <= part.length && words.length < maxWords; i++) {
    const char = part.charAt(i)
    const isEnd = char === '' || char === '_' || (isUpper(char) && i > 0 && !isUpper(part.charAt(i - 1)))
    if (start >= 0 && isEnd) {
      if (i - start >= 2) words.push(part.slice(start, i))
      start = -1
    }
    if (start < 0 && char !== '' && char !== '_' && (char < '0' || char > '9')) start = i
  }
}

/** The operator characters for the letters a to z; a space marks letters that are not used. */
const operatorCharacters = '& @/= >    <*!|+?%-~   ^ .'
const fixities: Record<string, string> = { i: ' infix', p: ' prefix', P: ' postfix' }

export function parseOperatorName(parser: Parser): Node | undefined {
  const name = parser.pop('Identifier')
  const fixity = fixities[parser.next()]
  if (!name || fixity === undefined) return undefined
  let text = ''
  for (const char of name.text) {
    const symbol = char > '\u007f' ? char : operatorCharacters.charAt(char.charCodeAt(0) - 97)
    if (symbol === '' || symbol === ' ') return undefined
    text += symbol
  }
  return leaf('Operator', text + fixity)
}

/**
 * Parses `LL` (private, with the discriminator of its file), `Ll` (private, without a name), `La`…`Lj` (a related
 * entity) or `L_` (local).
 */
export function parseLocalName(parser: Parser): Node | undefined {
  if (parser.skip('L')) {
    const discriminator = parser.pop('Identifier')
    return branch('PrivateDeclName', '', discriminator, parser.popIf(isDeclName))
  }
  if (parser.skip('l')) return branch('PrivateDeclName', '', parser.pop('Identifier'))
  const relation = parser.peek()
  if (/^[a-jA-J]$/.test(relation)) {
    parser.next()
    return branch('RelatedEntityDeclName', relation, parser.pop())
  }
  const index = parser.indexNode()
  return branch('LocalDeclName', '', index, parser.popIf(isDeclName))
}
