import { limits } from '../limits.ts'
import { popRetroactiveConformances } from './conformances.ts'
import { branch, type, type Kind, type Node } from './node.ts'
import type { Parser } from './parser.ts'

interface BoundArguments {
  /** One list of types per nesting level, starting with the innermost type. */
  lists: Node[]
  conformances: Node | undefined
}

/**
 * Takes generic arguments from the stack: the mark of an empty list (`y`), then types, with `_` between the nesting
 * levels.
 */
export function popBoundArguments(parser: Parser): BoundArguments | undefined {
  const conformances = popRetroactiveConformances(parser)
  for (const lists: Node[] = []; ;) {
    const types: Node[] = []
    for (let node = parser.pop('Type'); node; node = parser.pop('Type')) types.push(node)
    lists.push({ kind: 'TypeList', text: '', index: 0, children: types.reverse() })
    if (parser.pop('EmptyList')) return { lists, conformances }
    if (!parser.pop('FirstElementMarker')) return undefined
  }
}

export function parseBoundGenericType(parser: Parser): Node | undefined {
  const bound = popBoundArguments(parser)
  const nominal = bound && parser.popNominal()
  const node = nominal && bindArguments(nominal, bound.lists, 0, 0)
  if (!node) return undefined
  if (bound.conformances) node.children.push(bound.conformances)
  return parser.remember(type(node))
}

const boundKinds: Partial<Record<Kind, Kind>> = {
  Class: 'BoundGenericClass',
  Constructor: 'BoundGenericFunction',
  Enum: 'BoundGenericEnum',
  Function: 'BoundGenericFunction',
  OtherNominalType: 'BoundGenericOtherNominalType',
  Protocol: 'BoundGenericProtocol',
  Structure: 'BoundGenericStructure',
  TypeAlias: 'BoundGenericTypeAlias',
}

/** Kinds of contexts that have no generic arguments of their own. */
const takesNone = new Set<Kind>([
  'DefaultArgument',
  'ExplicitClosure',
  'ImplicitClosure',
  'Initializer',
  'Static',
  'Subscript',
  'Variable',
])

/**
 * Gives each level of a nested type its arguments, from the innermost level outwards. `at` is the index of the next
 * list.
 */
function bindArguments(nominal: Node, lists: Node[], at: number, depth: number): Node | undefined {
  if (depth > limits.depth) return undefined
  const args = lists[at]
  const [context, ...rest] = nominal.children
  if (!args || !context) return undefined
  const takesArguments = !takesNone.has(nominal.kind)
  const next = takesArguments ? at + 1 : at
  let bound: Node | undefined = nominal
  if (next < lists.length) {
    const parent = bindContext(context, lists, next, depth + 1)
    bound = branch(nominal.kind, nominal.text, parent, ...rest)
  }
  if (!bound || !takesArguments || args.children.length === 0) return bound
  const kind = boundKinds[nominal.kind]
  if (!kind) return undefined
  return branch(kind, '', kind === 'BoundGenericFunction' ? bound : type(bound), args)
}

function bindContext(context: Node, lists: Node[], at: number, depth: number): Node | undefined {
  if (context.kind !== 'Extension') return bindArguments(context, lists, at, depth)
  const [module, extended, ...signature] = context.children
  return branch('Extension', '', module, extended && bindArguments(extended, lists, at, depth), ...signature)
}
