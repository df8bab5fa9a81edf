import { popConformance, popProtocol } from './conformances.ts'
import { popAssociatedPath } from './generics.ts'
import { isEntity, isNominal, phrase, type Node } from './node.ts'
import type { Parser } from './parser.ts'

/** Metadata records of the type on top of the stack, by the letter after `M`. */
const ofType: Record<string, string> = {
  a: 'type metadata accessor for ',
  B: 'reflection metadata builtin descriptor ',
  b: 'canonical specialized generic type metadata accessor for ',
  D: 'demangling cache variable for type metadata for ',
  F: 'reflection metadata field descriptor ',
  f: 'full type metadata for ',
  I: 'type metadata instantiation cache for ',
  i: 'type metadata instantiation function for ',
  L: 'lazy cache variable for type metadata for ',
  l: 'type metadata singleton initialization cache for ',
  M: 'specialized generic metaclass for ',
  m: 'metaclass for ',
  N: 'noncanonical specialized generic type metadata for ',
  n: 'nominal type descriptor for ',
  o: 'class metadata base offset for ',
  P: 'generic type metadata pattern for ',
  r: 'type metadata completion function for ',
  s: 'ObjC resilient class stub for ',
  t: 'full ObjC resilient class stub for ',
  U: 'ObjC metadata update function for ',
  u: 'method lookup function for ',
  z: 'flag for loading of canonical specialized generic type metadata for ',
}

/** Metadata records of any node on top of the stack, by the letter after `M`. */
const ofAny: Record<string, string> = {
  g: 'opaque type descriptor accessor for ',
  h: 'opaque type descriptor accessor impl for ',
  J: 'cache variable for noncanonical specialized generic type metadata for ',
  j: 'opaque type descriptor accessor key for ',
  K: 'metadata instantiation cache for ',
  k: 'opaque type descriptor accessor var for ',
  Q: 'opaque type descriptor for ',
  q: 'uniquable ',
}

/** Parses `M` and a letter: metadata records, which the Swift runtime reads. */
export function parseMetadata(parser: Parser): Node | undefined {
  const letter = parser.next()
  const typeWords = ofType[letter]
  if (typeWords !== undefined) return phrase(typeWords, parser.pop('Type'))
  const words = ofAny[letter]
  if (words !== undefined) return phrase(words, parser.pop())
  switch (letter) {
    case 'A':
      return phrase('reflection metadata associated type descriptor ', popConformance(parser))
    case 'C': {
      const nominal = parser.popBareType()
      const known = nominal && isNominal(nominal.kind) ? nominal : undefined
      return phrase('reflection metadata superclass descriptor ', known)
    }
    case 'c':
      return phrase('protocol conformance descriptor for ', popConformance(parser))
    case 'p':
      return phrase('protocol descriptor for ', popProtocol(parser))
    case 'S':
      return phrase('protocol self-conformance descriptor for ', popProtocol(parser))
    case 'V':
      return phrase('property descriptor for ', parser.popIf(isEntity))
    case 'X':
      return parseContextDescriptor(parser)
    default:
      return undefined
  }
}

function parseContextDescriptor(parser: Parser): Node | undefined {
  switch (parser.next()) {
    case 'E':
      return phrase('extension descriptor ', parser.popContext())
    case 'M':
      return phrase('module descriptor ', parser.popModule())
    case 'X':
      return phrase('anonymous descriptor ', parser.popContext())
    case 'Y': {
      const discriminator = parser.pop()
      return discriminator && phrase('anonymous descriptor {0}', parser.popContext())
    }
    case 'A': {
      const path = popAssociatedPath(parser)
      return phrase('generic parameter reference for associated type ', parser.pop('Type'), path)
    }
    default:
      return undefined
  }
}
