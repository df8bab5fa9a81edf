import { parseDecltype } from './compound-types.ts'
import { named, nameNode, type Node } from './node.ts'
import type { NameState, Parser } from './parser.ts'
import { parseQualifiers } from './qualifiers.ts'
import { parseSubstitution } from './substitutions.ts'
import { parseTemplateParam } from './template-params.ts'
import { parseUnqualifiedName } from './unqualified-names.ts'

/** Parses `<nested-name>`: `N`, qualifiers, prefixes that each qualify the next one, `E`. */
export function parseNestedName(parser: Parser, state: NameState | undefined): Node | undefined {
  parser.pos++
  if (parser.skip('H')) {
    if (state) state.hasExplicitObject = true
  } else {
    const qualifiers = parseQualifiers(parser)
    const refQualifier = parser.skip('O') ? ' &&' : parser.skip('R') ? ' &' : ''
    if (state) {
      state.qualifiers = qualifiers
      state.refQualifier = refQualifier
    }
  }
  let soFar: Node | undefined
  while (!parser.skip('E')) {
    if (state) state.endsWithTemplateArgs = false
    if (parser.peek() === 'S') {
      const isStd = parser.peek(1) === 't'
      if (isStd) parser.pos += 2
      const substitution = isStd ? nameNode('std') : parseSubstitution(parser)
      if (!substitution) return undefined
      if (substitution.kind !== 'module') {
        if (soFar) return undefined
        soFar = substitution
        continue
      }
      soFar = parseUnqualifiedName(parser, state, soFar, substitution)
    } else {
      soFar = parsePrefix(parser, state, soFar)
    }
    if (!parser.remember(soFar)) return undefined
    // `M` marks a data member whose initializer contains the lambda that follows.
    parser.skip('M')
  }
  // The complete name is not a substitution by itself; if its user makes it one, the user remembers it.
  if (!soFar || !parser.substitutions.pop()) return undefined
  return soFar
}

function parsePrefix(parser: Parser, state: NameState | undefined, soFar: Node | undefined): Node | undefined {
  const letter = parser.peek()
  if (letter === 'T') return soFar ? undefined : parseTemplateParam(parser)
  if (letter === 'D' && (parser.peek(1) === 't' || parser.peek(1) === 'T')) {
    return soFar ? undefined : parseDecltype(parser)
  }
  if (letter !== 'I') return parseUnqualifiedName(parser, state, soFar, undefined)
  if (!soFar) return undefined
  const args = parser.templateArgs(state !== undefined)
  if (!args || endsWithArgs(soFar)) return undefined
  if (state) state.endsWithTemplateArgs = true
  return named(soFar, soFar, args)
}

function endsWithArgs({ parts }: Node): boolean {
  const last = parts.at(-1)
  return parts.length === 2 && typeof last === 'object' && last.kind === 'angles'
}
