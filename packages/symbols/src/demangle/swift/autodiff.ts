import { branch, leaf, type Node } from './node.ts'
import type { Parser } from './parser.ts'

const functionKinds: Record<string, string> = {
  f: 'forward-mode derivative',
  r: 'reverse-mode derivative',
  d: 'differential',
  p: 'pullback',
}
const witnessKinds: Record<string, string> = { f: 'forward-mode', r: 'reverse-mode', d: 'normal', l: 'linear' }

/** Parses `TJ`: derivatives that the compiler generates for differentiable functions, and the thunks between them. */
export function parseAutoDiff(parser: Parser): Node | undefined {
  if (parser.skip('S')) {
    return parseDerivative(parser, '', ['p', 'r', 'P'], 'AutoDiffSubsetThunk')
  }
  if (parser.skip('O')) return parseReorderingThunk(parser)
  const words = parser.skip('V') ? 'vtable thunk for ' : ''
  return parseDerivative(parser, words, ['p', 'r'], 'AutoDiffFunction')
}

type Derivative = 'AutoDiffFunction' | 'AutoDiffSubsetThunk'

/**
 * Takes the whole stack as the original functions, then parses the kind of derivative and one index set before each
 * letter of `ends`.
 */
function parseDerivative(parser: Parser, words: string, ends: string[], kind: Derivative): Node | undefined {
  const originals = parser.stack.splice(0)
  const functionKind = functionKinds[parser.next()]
  const sets = parseIndexSubsets(parser, ends)
  return functionKind === undefined || !sets ? undefined : branch(kind, words + functionKind, ...originals, ...sets)
}

function parseReorderingThunk(parser: Parser): Node | undefined {
  const signature = parser.pop('DependentGenericSignature')
  const to = parser.pop('Type')
  const from = parser.pop('Type')
  const functionKind = functionKinds[parser.next()]
  if (functionKind === undefined) return undefined
  return branch('AutoDiffReorderingThunk', functionKind, from, to, ...[signature].filter((node) => node !== undefined))
}

/** Parses `WJ`, a differentiability witness: the compiler's record that a function is differentiable. */
export function parseDifferentiabilityWitness(parser: Parser): Node | undefined {
  const signature = parser.pop('DependentGenericSignature')
  const originals = parser.stack.splice(0)
  const kind = witnessKinds[parser.next()]
  const sets = parseIndexSubsets(parser, ['p', 'r'])
  if (kind === undefined || !sets) return undefined
  const rest = [...sets, signature].filter((node) => node !== undefined)
  return branch('DifferentiabilityWitness', kind, ...originals, ...rest)
}

/** Parses index sets, in which each letter stands for an index: S if the set contains it, U if not. `SUS` is {0, 2}. */
function parseIndexSubsets(parser: Parser, ends: string[]): Node[] | undefined {
  const sets: Node[] = []
  for (const end of ends) {
    const start = parser.pos
    for (; parser.peek() === 'S' || parser.peek() === 'U';) parser.next()
    const letters = parser.text.slice(start, parser.pos)
    if (letters === '' || !parser.skip(end)) return undefined
    const members = letters.split('').flatMap((letter, index) => (letter === 'S' ? [index] : []))
    sets.push(leaf('IndexSubset', `{${members.join(', ')}}`))
  }
  return sets
}
