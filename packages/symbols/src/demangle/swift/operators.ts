import { parseArchetype } from './archetypes.ts'
import { parseBoundGenericType } from './bound-generics.ts'
import { parseBuiltinType } from './builtin-types.ts'
import {
  parseAssociatedConformance,
  parseConcreteConformance,
  parseInheritedConformance,
  parseOpaqueConformance,
  parsePackConformance,
  parseRetroactiveConformance,
  parseRootConformance,
  popConformance,
  popProtocol,
} from './conformances.ts'
import { parseFunction, parseFunctionEntity, parseSubscript, parseVariable } from './entities.ts'
import { popFunctionType, popLabels } from './function-types.ts'
import { genericParam, parseGenericParam, parseGenericSignature, parseRequirement, popGenericType } from './generics.ts'
import { parseIdentifier, parseLocalName, parseOperatorName } from './identifiers.ts'
import { parseImplFunctionType } from './impl-function-type.ts'
import { parseMetadata } from './metadata.ts'
import { branch, isEntity, leaf, phrase, type, type Node } from './node.ts'
import type { Parser } from './parser.ts'
import { parseStandardSubstitution, parseSubstitutions } from './standard-types.ts'
import { parseSpecialType } from './special-types.ts'
import { parseThunk } from './thunks.ts'
import { parseTypeAnnotation } from './type-annotations.ts'
import { parseIntegerType, parseNominal, popModified, popProtocolList, popTuple } from './types.ts'
import { parseValueWitness, parseWitness } from './witnesses.ts'

type Operator = (parser: Parser) => Node | undefined

/** The operators by their first letter, which is consumed before they run. */
const operators: Record<string, Operator> = {
  A: parseSubstitutions,
  B: parseBuiltinType,
  C: (parser) => parseNominal(parser, 'Class'),
  D: parseTypeMangling,
  E: parseExtension,
  F: parseFunction,
  G: parseBoundGenericType,
  H: parseConformanceOrRecord,
  I: parseImplFunctionType,
  K: () => leaf('ThrowsAnnotation'),
  L: parseLocalName,
  M: parseMetadata,
  N: (parser) => phrase('type metadata for ', parser.pop('Type')),
  O: (parser) => parseNominal(parser, 'Enum'),
  P: (parser) => parseNominal(parser, 'Protocol'),
  Q: parseArchetype,
  R: parseRequirement,
  S: parseStandardSubstitution,
  T: parseThunk,
  V: (parser) => parseNominal(parser, 'Structure'),
  W: parseWitness,
  X: parseSpecialType,
  Y: parseTypeAnnotation,
  Z: (parser) => branch('Static', '', parser.popIf(isEntity)),
  a: (parser) => parseNominal(parser, 'TypeAlias'),
  c: (parser) => popFunctionType(parser, 'plain'),
  d: () => leaf('VariadicMarker'),
  f: parseFunctionEntity,
  g: parseRetroactiveConformance,
  h: (parser) => popModified(parser, '__shared'),
  i: parseSubscript,
  l: (parser) => parseGenericSignature(parser, false),
  m: (parser) => type(branch('Metatype', '', parser.pop('Type'))),
  n: (parser) => popModified(parser, '__owned'),
  o: parseOperatorName,
  p: (parser) => type(popProtocolList(parser)),
  q: (parser) => type(parseGenericParam(parser)),
  r: (parser) => parseGenericSignature(parser, true),
  s: () => leaf('Module', 'Swift'),
  t: popTuple,
  u: popGenericType,
  v: parseVariable,
  w: parseValueWitness,
  x: () => type(genericParam(0, 0)),
  y: () => leaf('EmptyList'),
  z: (parser) => popModified(parser, 'inout'),
  _: () => leaf('FirstElementMarker'),
  $: parseIntegerType,
  '.': parseSuffix,
}

/** Runs the operator at the parser's position. Returns undefined if the stack does not hold what the operator needs. */
export function parseOperator(parser: Parser): Node | undefined {
  const operator = operators[parser.peek()]
  if (!operator) return parseIdentifier(parser)
  parser.next()
  return operator(parser)
}

/** Parses the suffix that LLVM appends after a dot, which is not part of the mangling. */
function parseSuffix(parser: Parser): Node {
  const start = parser.pos - 1
  parser.pos = parser.text.length
  return leaf('Suffix', parser.text.slice(start))
}

function parseTypeMangling(parser: Parser): Node | undefined {
  const mangled = parser.pop('Type')
  const labels = popLabels(parser, mangled)
  return labels ? branch('TypeMangling', '', labels, mangled) : branch('TypeMangling', '', mangled)
}

function parseExtension(parser: Parser): Node | undefined {
  const signature = parser.pop('DependentGenericSignature')
  const module = parser.popModule()
  const extended = parser.popNominal()
  return signature ? branch('Extension', '', module, extended, signature) : branch('Extension', '', module, extended)
}

/** Parses `H` and a letter: protocol conformances as arguments, and records that the runtime reads. */
function parseConformanceOrRecord(parser: Parser): Node | undefined {
  switch (parser.next()) {
    case 'A':
      return parseAssociatedConformance(parser)
    case 'C':
      return parseConcreteConformance(parser)
    case 'D':
      return parseRootConformance(parser)
    case 'I':
      return parseInheritedConformance(parser)
    case 'O':
      return parseOpaqueConformance(parser)
    case 'P':
      return phrase("protocol conformance ref (type's module) ", popProtocol(parser))
    case 'p':
      return phrase("protocol conformance ref (protocol's module) ", popProtocol(parser))
    case 'X':
      return parsePackConformance(parser)
    case 'c':
      return phrase('protocol conformance descriptor runtime record for ', popConformance(parser))
    case 'n':
      return phrase('nominal type descriptor runtime record for ', parser.pop('Type'))
    case 'o':
      return phrase('opaque type descriptor runtime record for ', parser.pop())
    case 'r':
      return phrase('protocol descriptor runtime record for ', popProtocol(parser))
    case 'F':
      return leaf('ThunkAttribute', 'accessible function runtime record for ')
    default:
      return undefined
  }
}
