import { bare, type Kind, type Node } from '../node.ts'
import { printPhrase } from './phrases.ts'
import type { Print, Printer } from './printer.ts'

const simpleKinds = new Set<Kind>([
  'AssociatedTypeRef',
  'BoundGenericClass',
  'BoundGenericEnum',
  'BoundGenericOtherNominalType',
  'BoundGenericProtocol',
  'BoundGenericStructure',
  'BoundGenericTypeAlias',
  'BuiltinType',
  'Class',
  'DependentGenericParamType',
  'DependentGenericType',
  'DependentMemberType',
  'Enum',
  'ExistentialMetatype',
  'Metatype',
  'Module',
  'OtherNominalType',
  'Pack',
  'Protocol',
  'SilBox',
  'Structure',
  'SugaredType',
  'Tuple',
  'TypeAlias',
])

/** Whether a suffix such as `?` can follow the type without parentheses. */
function isSimple(node: Node): boolean {
  const inner = bare(node)
  const protocols = inner.children[0]?.children
  if (inner.kind === 'ProtocolList') return (protocols?.length ?? 0) <= 1
  if (inner.kind === 'ProtocolListWithAnyObject') return (protocols?.[0]?.children.length ?? 0) === 0
  if (inner.kind === 'Phrase') return inner.text.startsWith('Builtin.')
  // `some`, `Self` and integers are identifiers. Only `some` needs parentheses.
  return simpleKinds.has(inner.kind) || (inner.kind === 'Identifier' && inner.text !== 'some')
}

export function printWithParens(printer: Printer, node: Node | undefined): void {
  const parens = node !== undefined && !isSimple(node)
  if (parens) printer.write('(')
  printer.print(node)
  if (parens) printer.write(')')
}

/** Types with a shorter notation in the short form: `T?`, `[T]`, `[K : V]`. */
const sugars: Record<string, { name: string; count: number; kind: Kind }> = {
  '?': { name: 'Optional', count: 1, kind: 'BoundGenericEnum' },
  '!': { name: 'ImplicitlyUnwrappedOptional', count: 1, kind: 'BoundGenericEnum' },
  '[{0}]': { name: 'Array', count: 1, kind: 'BoundGenericStructure' },
  '[{0} : {1}]': { name: 'Dictionary', count: 2, kind: 'BoundGenericStructure' },
}

function findSugar({ kind, children: [nominal, args] }: Node): string | undefined {
  const [module, name] = nominal ? bare(nominal).children : []
  if (module?.text !== 'Swift' || module.kind !== 'Module' || name?.kind !== 'Identifier') return undefined
  const matches = Object.entries(sugars).find(
    ([, sugar]) => sugar.kind === kind && sugar.name === name.text && sugar.count === args?.children.length,
  )
  return matches?.[0]
}

export const printBoundGeneric: Print = (printer, node) => {
  const [nominal, args] = node.children
  if (!nominal || !args) return undefined
  const maySugar = !printer.full && node.children.length === 2
  if (maySugar && node.kind === 'BoundGenericProtocol') {
    printer.printAll(args.children)
    printer.write(' as ')
    return printer.print(nominal)
  }
  const sugar = maySugar ? findSugar(node) : undefined
  if (sugar !== undefined) return printSugar(printer, sugar, args.children)
  printer.print(nominal)
  printer.write('<')
  printer.printAll(args.children, ', ')
  printer.write('>')
  return undefined
}

export function printSugar(printer: Printer, sugar: string, args: Node[]): Node | undefined {
  if (sugar === '?' || sugar === '!') {
    printWithParens(printer, args[0])
    printer.write(sugar)
    return undefined
  }
  return printPhrase(printer, { kind: 'Phrase', text: sugar, index: 0, children: args })
}
