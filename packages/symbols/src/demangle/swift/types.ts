import { popProtocol } from './conformances.ts'
import { branch, isDeclName, leaf, phrase, type, type Kind, type Node } from './node.ts'
import type { Parser } from './parser.ts'

/** A class, structure, enum, protocol or alias: a name and the context it is declared in. */
export function parseNominal(parser: Parser, kind: Kind): Node | undefined {
  const name = parser.popIf(isDeclName)
  return parser.remember(type(branch(kind, '', parser.popContext(), name)))
}

/** A type with a word before it, as in `inout Int`. */
export function popModified(parser: Parser, word: string): Node | undefined {
  return type(branch('ModifiedType', word, parser.popBareType()))
}

export function popTuple(parser: Parser): Node | undefined {
  const elements = parser.popList(() => {
    const variadic = parser.pop('VariadicMarker')
    const label = parser.pop('Identifier')
    const element = parser.pop('Type')
    if (!element) return undefined
    const name = label && leaf('TupleElementName', label.text)
    return branch('TupleElement', '', ...[variadic, name].filter((node) => node !== undefined), element)
  })
  return elements && type(branch('Tuple', '', ...elements))
}

/** A pack of types; `words` are what stands before it. */
export function popPack(parser: Parser, words: string): Node | undefined {
  const elements = parser.popTypes()
  return elements && type(branch('Pack', words, ...elements))
}

export function popSilPack(parser: Parser): Node | undefined {
  const letter = parser.next()
  if (letter !== 'd' && letter !== 'i') return undefined
  return popPack(parser, letter === 'd' ? '@direct ' : '@indirect ')
}

export function popProtocolList(parser: Parser): Node | undefined {
  const protocols = parser.popList(() => popProtocol(parser))
  return protocols && branch('ProtocolList', '', branch('TypeList', '', ...protocols))
}

/** `$` an integer as a type, `$n` a negative one. */
export function parseIntegerType(parser: Parser): Node | undefined {
  const sign = parser.skip('n') ? '-' : ''
  const value = parser.index()
  return value === undefined ? undefined : type(leaf('Identifier', value === 0 ? '0' : `${sign}${value}`))
}

export function popPackExpansion(parser: Parser): Node | undefined {
  const count = parser.popBareType()
  const pattern = parser.popBareType()
  return count && type(branch('PackExpansion', '', pattern, count))
}

export function parsePackElement(parser: Parser): Node | undefined {
  const pack = parser.popBareType()
  const level = parser.index()
  return level === undefined ? undefined : type(phrase(`/* level: ${level} */ each {0}`, pack))
}
