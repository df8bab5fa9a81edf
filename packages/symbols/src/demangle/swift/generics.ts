import { isProtocol, popProtocol } from './conformances.ts'
import { branch, leaf, phrase, type, type Kind, type Node } from './node.ts'
import type { Parser } from './parser.ts'

const isRequirement = (kind: Kind): boolean =>
  kind === 'Requirement' || kind === 'LayoutRequirement' || kind === 'PackMarker' || kind === 'ValueMarker'

/** Creates a generic parameter: `x` is A of depth 0, `q_` is B, `q0_` is C, and `qd__` is A of depth 1. */
export function genericParam(depth: number, index: number): Node {
  return {
    kind: 'DependentGenericParamType',
    text: '',
    index: 0,
    children: [leaf('Index', '', depth), leaf('Index', '', index)],
  }
}

export function parseGenericParam(parser: Parser): Node | undefined {
  if (parser.skip('d')) {
    const depth = parser.index()
    const index = parser.index()
    return depth === undefined || index === undefined ? undefined : genericParam(depth + 1, index)
  }
  if (parser.skip('z')) return genericParam(0, 0)
  if (parser.skip('s')) return leaf('Identifier', 'Self')
  const index = parser.index()
  return index === undefined ? undefined : genericParam(0, index + 1)
}

/**
 * Parses a generic signature: `l` means one parameter, `r` is followed by a count per depth up to `l`. The requirements
 * lie on the stack.
 */
export function parseGenericSignature(parser: Parser, hasCounts: boolean): Node | undefined {
  const counts = hasCounts ? parseParamCounts(parser) : [leaf('DependentGenericParamCount', '', 1)]
  if (!counts) return undefined
  const requirements: Node[] = []
  for (let node = parser.popIf(isRequirement); node; node = parser.popIf(isRequirement)) requirements.push(node)
  return branch('DependentGenericSignature', '', ...counts, ...requirements.reverse())
}

function parseParamCounts(parser: Parser): Node[] | undefined {
  const counts: Node[] = []
  while (!parser.skip('l')) {
    const index = parser.skip('z') ? -1 : parser.index()
    if (index === undefined) return undefined
    counts.push(leaf('DependentGenericParamCount', '', index + 1))
  }
  return counts
}

export function popGenericType(parser: Parser): Node | undefined {
  const signature = parser.pop('DependentGenericSignature')
  return type(branch('DependentGenericType', '', signature, parser.pop('Type')))
}

type Constraint = 'protocol' | 'base' | 'same' | 'shape' | 'layout' | 'pack' | 'value' | 'inverse'
type Subject = 'generic' | 'member' | 'nested member' | 'substitution'

/** Requirements by the letter after `R`: the kind of constraint, and how the constrained type is encoded. */
const requirements: Record<string, [Constraint, Subject]> = {
  V: ['value', 'generic'],
  v: ['pack', 'generic'],
  c: ['base', 'member'],
  C: ['base', 'nested member'],
  b: ['base', 'generic'],
  B: ['base', 'substitution'],
  t: ['same', 'member'],
  T: ['same', 'nested member'],
  s: ['same', 'generic'],
  S: ['same', 'substitution'],
  m: ['layout', 'member'],
  M: ['layout', 'nested member'],
  l: ['layout', 'generic'],
  L: ['layout', 'substitution'],
  p: ['protocol', 'member'],
  P: ['protocol', 'nested member'],
  Q: ['protocol', 'substitution'],
  h: ['shape', 'generic'],
  i: ['inverse', 'generic'],
  I: ['inverse', 'substitution'],
}
const invertible = ['Swift.Copyable', 'Swift.Escapable']

export function parseRequirement(parser: Parser): Node | undefined {
  const entry = requirements[parser.peek()]
  if (entry) parser.next()
  const [constraint, written] = entry ?? ['protocol', 'generic']
  const inverse = constraint === 'inverse' ? parser.index() : 0
  if (inverse === undefined) return undefined
  const subject = parseSubject(parser, written)
  switch (constraint) {
    case 'protocol':
      return branch('Requirement', '{0}: {1}', subject, popProtocol(parser))
    case 'base':
      return branch('Requirement', '{0}: {1}', subject, parser.pop('Type'))
    case 'same':
      return branch('Requirement', '{0} == {1}', subject, parser.pop('Type'))
    case 'shape':
      return branch('Requirement', '{0}.shape == {1}.shape', subject, parser.pop('Type'))
    case 'inverse':
      return branch('Requirement', `{0}: ~${invertible[inverse] ?? `Swift.<bit ${inverse}>`}`, subject)
    case 'pack':
      return branch('PackMarker', '', subject)
    case 'value':
      return branch('ValueMarker', '', subject, parser.pop('Type'))
    case 'layout':
      return parseLayoutRequirement(parser, subject)
    default:
      return constraint satisfies never
  }
}

function parseSubject(parser: Parser, written: Subject): Node | undefined {
  switch (written) {
    case 'generic':
      return type(parseGenericParam(parser))
    case 'member':
      return parser.remember(popMember(parser, type(parseGenericParam(parser))))
    case 'nested member':
      return parser.remember(popNestedMember(parser, type(parseGenericParam(parser))))
    case 'substitution':
      return parser.pop('Type')
    default:
      return written satisfies never
  }
}

/** Layout constraints by letter, with the number of numbers (size, alignment) that follow. */
const layouts: Record<string, [string, number]> = {
  U: ['_UnknownLayout', 0],
  R: ['_RefCountedObject', 0],
  N: ['_NativeRefCountedObject', 0],
  C: ['AnyObject', 0],
  D: ['_NativeClass', 0],
  T: ['_Trivial', 0],
  B: ['', 0],
  E: ['_Trivial', 2],
  e: ['_Trivial', 1],
  M: ['_TrivialAtMost', 2],
  m: ['_TrivialAtMost', 1],
  S: ['', 1],
}

function parseLayoutRequirement(parser: Parser, subject: Node | undefined): Node | undefined {
  const [name, count] = layouts[parser.next()] ?? []
  if (name === undefined) return undefined
  const size = count ? parser.indexNode() : undefined
  if (count && !size) return undefined
  const alignment = count === 2 ? parser.indexNode() : undefined
  return branch('LayoutRequirement', name, subject, ...[size, alignment].filter((node) => node !== undefined))
}

/** Takes the requirements of a constrained existential, `any P<…>`, from the stack. */
export function parseConstrainedRequirements(parser: Parser): Node | undefined {
  const requirements = parser.popList(() => parser.popIf(isRequirement))
  return requirements && branch('TypeList', '', ...requirements)
}

/** Takes an associated type's name from the stack, with its protocol if the name is ambiguous. */
function popAssociatedName(parser: Parser): Node | undefined {
  const protocol = parser.pop('Type')
  if (protocol && !isProtocol(protocol)) return undefined
  const name = parser.pop('Identifier')
  return protocol
    ? branch('DependentAssociatedTypeRef', '', name, protocol)
    : branch('DependentAssociatedTypeRef', '', name)
}

export function popAssociatedPath(parser: Parser): Node | undefined {
  // An empty list cannot be a path, which has at least one name.
  if (parser.stack.at(-1)?.kind === 'EmptyList') return undefined
  const names = parser.popList(() => popAssociatedName(parser))
  return names && branch('AssocTypePath', '', ...names)
}

/** Takes an associated type such as `A.Element` from the stack: a member of `base`, or of the type below the name. */
export function popMember(parser: Parser, base?: Node): Node | undefined {
  const name = popAssociatedName(parser)
  return type(branch('DependentMemberType', '', base ?? parser.pop('Type'), name))
}

/** Takes a nested associated type such as `A.Element.Index` from the stack. */
export function popNestedMember(parser: Parser, base?: Node): Node | undefined {
  const path = popAssociatedPath(parser)
  if (!path) return undefined
  let node = base ?? parser.pop('Type')
  for (const name of path.children) node = type(branch('DependentMemberType', '', node, name))
  return node
}

/** Prints `words` before an associated type's name, for descriptors. */
export const associatedNamePhrase = (parser: Parser, words: string): Node | undefined =>
  phrase(words, popAssociatedName(parser))
