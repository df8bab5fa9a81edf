import { bare, branch, isDeclName, leaf, phrase, type, type Kind, type Node } from './node.ts'
import type { Parser } from './parser.ts'

export const isProtocol = (node: Node): boolean => bare(node).kind === 'Protocol'

/** Takes a protocol from the stack: a type, or a name with its context. */
export function popProtocol(parser: Parser): Node | undefined {
  const known = parser.pop('Type')
  if (known) return isProtocol(known) ? known : undefined
  const name = parser.popIf(isDeclName)
  return type(branch('Protocol', '', parser.popContext(), name))
}

/** Takes `type : protocol in module` from the stack. The type is generic if a generic signature lies on top. */
export function popConformance(parser: Parser): Node | undefined {
  const signature = parser.pop('DependentGenericSignature')
  const module = parser.popModule()
  const protocol = popProtocol(parser)
  let conforming = parser.pop('Type')
  const property = conforming ? undefined : parser.pop('Identifier')
  conforming ??= parser.pop('Type')
  if (signature) conforming = type(branch('DependentGenericType', '', signature, conforming))
  if (!property) return branch('ProtocolConformance', '', conforming, protocol, module)
  return branch('ProtocolConformance', '', conforming, protocol, module, property)
}

const anyConformances = new Set<Kind>(['ConcreteConformance', 'Conformance', 'DependentConformance'])

const popAnyConformance = (parser: Parser): Node | undefined => parser.popIf((kind) => anyConformances.has(kind))

function popConformanceList(parser: Parser): Node | undefined {
  const conformances = parser.popList(() => popAnyConformance(parser))
  return conformances && branch('ConformanceList', '', ...conformances)
}

const isReference = (kind: Kind): boolean => kind === 'Phrase'

export function parseConcreteConformance(parser: Parser): Node | undefined {
  const conditions = popConformanceList(parser)
  let reference = parser.popIf(isReference)
  if (!reference) {
    const module = parser.popModule()
    reference = phrase('protocol conformance ref (retroactive) ', popProtocol(parser), module)
  }
  return branch('ConcreteConformance', '', parser.pop('Type'), reference, conditions)
}

export function parsePackConformance(parser: Parser): Node | undefined {
  return branch('Conformance', 'pack protocol conformance ', popConformanceList(parser))
}

export function parseRootConformance(parser: Parser): Node | undefined {
  const index = parseConformanceIndex(parser)
  const protocol = popProtocol(parser)
  return branch('DependentConformance', 'root', parser.pop('Type'), protocol, index)
}

export function parseInheritedConformance(parser: Parser): Node | undefined {
  const index = parseConformanceIndex(parser)
  const protocol = popProtocol(parser)
  return branch('DependentConformance', 'inherited', parser.pop('DependentConformance'), protocol, index)
}

export function parseAssociatedConformance(parser: Parser): Node | undefined {
  const index = parseConformanceIndex(parser)
  const protocol = popProtocol(parser)
  const associated = phrase('dependent associated conformance ', parser.pop('Type'), protocol)
  return branch('DependentConformance', 'associated', parser.pop('DependentConformance'), associated, index)
}

export function parseOpaqueConformance(parser: Parser): Node | undefined {
  const opaque = parser.pop('Type')
  const conformance = parser.pop('DependentConformance')
  return branch('Conformance', 'opaque result conformance {0} of {1}', conformance, opaque)
}

/** Parses the index of a conformance: 1 means that the index is unknown, and 2 is the first index. */
function parseConformanceIndex(parser: Parser): Node | undefined {
  const index = parser.index()
  if (!index) return undefined
  return leaf('Index', index === 1 ? 'unknown index' : '', Math.max(0, index - 2))
}

export function parseRetroactiveConformance(parser: Parser): Node | undefined {
  const index = parser.indexNode()
  return branch('RetroactiveConformance', '', index, popAnyConformance(parser))
}

export function popRetroactiveConformances(parser: Parser): Node | undefined {
  const conformances: Node[] = []
  for (let node = parser.pop('RetroactiveConformance'); node; node = parser.pop('RetroactiveConformance')) {
    conformances.push(node)
  }
  return conformances.length === 0 ? undefined : branch('TypeList', '', ...conformances.reverse())
}
