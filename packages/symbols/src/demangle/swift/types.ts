import { popProtocol } from './conformances.ts'
import { branch, isDeclName, leaf, phrase, type, type Kind, type Node } from './node.ts'
import type { Parser } from './parser.ts'

/** Parses a nominal type (class, structure, enum, protocol) or an alias: its name and the context that declares it. */
export function parseNominal(parser: Parser, kind: Kind): Node | undefined {
  const name = parser.popIf(isDeclName)
  return parser.remember(type(branch(kind, '', parser.popContext(), name)))
}

/** Pops a type and puts a modifier before it, as in `inout Int`. */
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

/** Pops a pack of types, which is printed after `words`. */
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

/** Parses an integer as a type: `$` and an index, or `$n` for a negative number. */
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
