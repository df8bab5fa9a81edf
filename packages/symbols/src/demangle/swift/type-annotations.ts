import { branch, leaf, type Node } from './node.ts'
import type { Parser } from './parser.ts'
import { popModified } from './types.ts'

/** Parses `Y` and a letter: an annotation of a function type or a parameter type. */
export function parseTypeAnnotation(parser: Parser): Node | undefined {
  switch (parser.next()) {
    case 'a':
      return leaf('AsyncAnnotation')
    case 'A':
      return leaf('FunctionIsolation', '@isolated(any) ')
    case 'b':
      return leaf('ConcurrentFunctionType')
    case 'c':
      return branch('FunctionIsolation', '@', parser.popBareType())
    case 'C':
      return leaf('FunctionIsolation', 'nonisolated(nonsending) ')
    case 'i':
      return popModified(parser, 'isolated')
    case 'j':
      return parseDifferentiability(parser)
    case 'k':
      return popModified(parser, '@noDerivative')
    case 'K':
      return branch('ThrowsAnnotation', '', parser.popBareType())
    case 't':
      return popModified(parser, '_const')
    case 'g':
      return popModified(parser, '@const')
    case 'T':
      return leaf('SendingResult')
    case 'u':
      return popModified(parser, 'sending')
    default:
      return undefined
  }
}

/** The words for the letter of a kind of differentiability. */
export const differentiability: Record<string, string> = {
  d: '@differentiable',
  f: '@differentiable(_forward)',
  l: '@differentiable(_linear)',
  r: '@differentiable(reverse)',
}

function parseDifferentiability(parser: Parser): Node | undefined {
  const words = differentiability[parser.next()]
  return words === undefined ? undefined : leaf('DifferentiableFunctionType', `${words} `)
}
