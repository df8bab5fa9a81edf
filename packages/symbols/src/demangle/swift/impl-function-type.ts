import { popBoundArguments } from './bound-generics.ts'
import { parseClangType } from './function-types.ts'
import { branch, leaf, type, type Kind, type Node } from './node.ts'
import type { Parser } from './parser.ts'
import { differentiability } from './type-annotations.ts'

const callees: Record<string, string> = {
  y: '@callee_unowned',
  g: '@callee_guaranteed',
  x: '@callee_owned',
  t: '@convention(thin)',
}
const conventions: Record<string, string> = {
  B: 'block',
  C: 'c',
  M: 'method',
  O: 'objc_method',
  K: 'closure',
  W: 'witness_method',
}
const coroutines: Record<string, string> = { A: '@yield_once', I: '@yield_once_2', G: '@yield_many' }
const parameterConventions: Record<string, string> = {
  i: '@in',
  c: '@in_constant',
  l: '@inout',
  b: '@inout_aliasable',
  n: '@in_guaranteed',
  X: '@in_cxx',
  x: '@owned',
  g: '@guaranteed',
  e: '@deallocating',
  y: '@unowned',
  v: '@pack_owned',
  p: '@pack_guaranteed',
  m: '@pack_inout',
}
const resultConventions: Record<string, string> = {
  r: '@out',
  o: '@owned',
  d: '@unowned',
  u: '@unowned_inner_pointer',
  a: '@autoreleased',
  k: '@pack_out',
}
const parameterFlags = [
  ['w', '@noDerivative'],
  ['T', 'sending'],
  ['I', 'isolated'],
  ['L', 'sil_implicit_leading_param'],
] as const

/** Parses `I`…`_`, a lowered function type of SIL, with the conventions of its callee, parameters and results. */
export function parseImplFunctionType(parser: Parser): Node | undefined {
  const parts: Node[] = []
  const add = (node: Node | undefined): boolean => node !== undefined && parts.push(node) > 0
  if (parser.skip('s') && !add(popPatternSubstitutions(parser))) return undefined
  if (parser.skip('I') && !add(popInvocationSubstitutions(parser))) return undefined
  const signature = parser.pop('DependentGenericSignature')
  // A pseudogeneric signature is printed like any other, so its mark is skipped.
  if (signature) parser.skip('P')
  if (parser.skip('e')) add(leaf('ImplText', '@escaping'))
  if (parser.skip('A')) add(leaf('ImplText', '@isolated(any)'))
  add(wordFor(parser, differentiability))
  if (!add(wordFor(parser, callees))) return undefined
  const convention = parseConvention(parser)
  if (convention) add(convention)
  add(wordFor(parser, coroutines))
  if (parser.skip('h')) add(leaf('ImplText', '@Sendable'))
  if (parser.skip('H')) add(leaf('ImplText', '@async'))
  if (parser.skip('T')) add(leaf('SendingResult', 'sending'))
  if (signature) add(signature)
  const values = parseValues(parser)
  if (!values || !parser.skip('_')) return undefined
  for (const value of values.toReversed()) {
    const valueType = parser.pop('Type')
    if (!valueType) return undefined
    value.children.push(valueType)
  }
  return type(branch('ImplFunctionType', '', ...parts, ...values))
}

/**
 * Returns the words for the next letter; undefined if the table does not contain it, and then the letter is not
 * consumed.
 */
function wordFor(parser: Parser, table: Record<string, string>): Node | undefined {
  const words = table[parser.peek()]
  if (words === undefined) return undefined
  parser.next()
  return leaf('ImplText', words)
}

function parseConvention(parser: Parser): Node | undefined {
  const hasClangType = /^z[BC]/.test(parser.text.slice(parser.pos, parser.pos + 2)) && parser.skip('z')
  const name = wordFor(parser, conventions)?.text
  if (name === undefined) return undefined
  const clangType = hasClangType ? parseClangType(parser) : undefined
  const mangled = clangType ? `, mangledCType: "${clangType.text}"` : ''
  return leaf('ImplText', `@convention(${name}${mangled})`)
}

/** Parses the conventions of parameters, results, yields (`Y`) and the error (`z`). Their types come from the stack. */
function parseValues(parser: Parser): Node[] | undefined {
  const values: Node[] = []
  const addAll = (table: Record<string, string>, kind: Kind, flags: readonly (readonly [string, string])[]): void => {
    for (let word = wordFor(parser, table); word; word = wordFor(parser, table)) {
      const words = flags.filter(([letter]) => parser.skip(letter)).map(([, flag]) => flag)
      values.push(leaf(kind, [word.text, ...words].join(' ')))
    }
  }
  addAll(parameterConventions, 'ImplParameter', parameterFlags)
  addAll(resultConventions, 'ImplResult', parameterFlags.slice(0, 1))
  for (; parser.skip('Y');) {
    const word = wordFor(parser, parameterConventions)
    if (!word) return undefined
    values.push(leaf('ImplResult', `@yields ${word.text}`))
  }
  if (parser.skip('z')) {
    const word = wordFor(parser, resultConventions)
    if (!word) return undefined
    values.push(leaf('ImplResult', `@error ${word.text}`))
  }
  return values
}

function popPatternSubstitutions(parser: Parser): Node | undefined {
  const bound = popBoundArguments(parser)
  return bound && branch('ImplPatternSubstitutions', '', parser.pop('DependentGenericSignature'), bound.lists[0])
}

function popInvocationSubstitutions(parser: Parser): Node | undefined {
  const bound = popBoundArguments(parser)
  return bound?.lists.length === 1 ? branch('ImplInvocationSubstitutions', '', bound.lists[0]) : undefined
}
