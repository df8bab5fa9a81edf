import { popConformance, popProtocol } from './conformances.ts'
import { parseDifferentiabilityWitness } from './autodiff.ts'
import { popAssociatedPath } from './generics.ts'
import { branch, isDeclName, isEntity, phrase, type Node } from './node.ts'
import type { Parser } from './parser.ts'

/** Witness tables of the conformance on top of the stack, by the letter after `W`. */
const ofConformance: Record<string, string> = {
  a: 'protocol witness table accessor for ',
  G: 'generic protocol witness table for ',
  I: 'instantiation function for generic protocol witness table for ',
  P: 'protocol witness table for ',
  p: 'protocol witness table pattern for ',
  r: 'resilient protocol witness table for ',
}

/** Outlined functions by the letter after `WO`. */
const outlined: Record<string, string> = {
  B: 'outlined init with take of ',
  b: 'outlined init with take of ',
  C: 'outlined init with copy of ',
  c: 'outlined init with copy of ',
  D: 'outlined assign with take of ',
  d: 'outlined assign with take of ',
  e: 'outlined consume of ',
  F: 'outlined assign with copy of ',
  f: 'outlined assign with copy of ',
  g: 'outlined enum get tag of ',
  H: 'outlined destroy of ',
  h: 'outlined destroy of ',
  i: 'outlined enum tag store of ',
  j: 'outlined enum project data for load of ',
  r: 'outlined retain of ',
  s: 'outlined release of ',
  y: 'outlined copy of ',
}

/** Parses `W` and a letter: witness tables, field offsets, outlined functions and tokens of one-time initialization. */
export function parseWitness(parser: Parser): Node | undefined {
  const letter = parser.next()
  const words = ofConformance[letter]
  if (words !== undefined) return phrase(words, popConformance(parser))
  switch (letter) {
    case 'C':
      return phrase('enum case for ', parser.popIf(isEntity))
    case 'V':
      return phrase('value witness table for ', parser.pop('Type'))
    case 'v': {
      const directness = parser.next()
      if (directness !== 'd' && directness !== 'i') return undefined
      return phrase(`${directness === 'd' ? '' : 'in'}direct field offset for `, parser.popIf(isEntity))
    }
    case 'S':
      return phrase('protocol self-conformance witness table for ', popProtocol(parser))
    case 'l':
    case 'L': {
      const conformance = popConformance(parser)
      const what = letter === 'l' ? 'accessor' : 'cache variable'
      return phrase(
        `lazy protocol witness table ${what} for type {0} and conformance {1}`,
        parser.pop('Type'),
        conformance,
      )
    }
    case 't': {
      const name = parser.popIf(isDeclName)
      return phrase('associated type metadata accessor for {1} in {0}', popConformance(parser), name)
    }
    case 'T': {
      const protocol = parser.pop('Type')
      const path = popAssociatedPath(parser)
      const conformance = popConformance(parser)
      return phrase('associated type witness table accessor for {1} : {2} in {0}', conformance, path, protocol)
    }
    case 'b': {
      const protocol = parser.pop('Type')
      return phrase('base witness table accessor for {1} in {0}', popConformance(parser), protocol)
    }
    case 'O':
      return parseOutlined(parser)
    case 'Z':
      return parseOnce(parser, 'one-time initialization function for ')
    case 'z':
      return parseOnce(parser, 'one-time initialization token for ')
    case 'J':
      return parseDifferentiabilityWitness(parser)
    default:
      return undefined
  }
}

/** Parses an outlined function. Only an outlined copy or consume shows the generic signature of its type. */
function parseOutlined(parser: Parser): Node | undefined {
  const letter = parser.next()
  const words = outlined[letter]
  if (words === undefined) return undefined
  if ((letter === 'i' || letter === 'j') && !parser.indexNode()) return undefined
  const signature = parser.pop('DependentGenericSignature')
  const subject = parser.pop('Type')
  return signature && (letter === 'y' || letter === 'e') ? phrase(words, subject, signature) : phrase(words, subject)
}

function parseOnce(parser: Parser, words: string): Node | undefined {
  const names: Node[] = []
  for (; parser.pop('FirstElementMarker');) {
    const name = parser.popIf(isDeclName)
    if (!name) return undefined
    names.push(name)
  }
  const context = parser.popContext()
  return context && phrase(words, branch('OnceDeclList', '', ...names.reverse()))
}

const valueWitnesses: Record<string, string> = {
  al: 'allocateBuffer',
  ca: 'assignWithCopy',
  ta: 'assignWithTake',
  de: 'deallocateBuffer',
  xx: 'destroy',
  XX: 'destroyBuffer',
  Xx: 'destroyArray',
  CP: 'initializeBufferWithCopyOfBuffer',
  Cp: 'initializeBufferWithCopy',
  cp: 'initializeWithCopy',
  Tk: 'initializeBufferWithTake',
  tk: 'initializeWithTake',
  pr: 'projectBuffer',
  TK: 'initializeBufferWithTakeOfBuffer',
  Cc: 'initializeArrayWithCopy',
  Tt: 'initializeArrayWithTakeFrontToBack',
  tT: 'initializeArrayWithTakeBackToFront',
  xs: 'storeExtraInhabitant',
  xg: 'getExtraInhabitantIndex',
  ug: 'getEnumTag',
  up: 'destructiveProjectEnumData',
  ui: 'destructiveInjectEnumTag',
  et: 'getEnumTagSinglePayload',
  st: 'storeEnumTagSinglePayload',
}

/** Parses `w` and two letters, an entry of a value witness table. */
export function parseValueWitness(parser: Parser): Node | undefined {
  const name = valueWitnesses[parser.next() + parser.next()]
  return name === undefined ? undefined : branch('ValueWitness', name, parser.pop('Type'))
}
