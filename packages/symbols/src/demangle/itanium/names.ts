import { parseNestedName } from './nested-names.ts'
import { named, nameNode, sequence, type Node } from './node.ts'
import type { NameState, Parser } from './parser.ts'
import { parseSubstitution } from './substitutions.ts'
import { parseUnqualifiedName } from './unqualified-names.ts'

/** Parses `<name>`: nested (`N`), local to a function (`Z`), or unscoped with optional template arguments. */
export function parseName(parser: Parser, state: NameState | undefined): Node | undefined {
  if (parser.peek() === 'N') return parseNestedName(parser, state)
  if (parser.peek() === 'Z') return parseLocalName(parser, state)
  const unscoped = parseUnscopedName(parser, state, true)
  if (!unscoped) return undefined
  if (parser.peek() !== 'I') return unscoped.isSubstitution ? undefined : unscoped.name
  if (!unscoped.isSubstitution) parser.remember(unscoped.name)
  const args = parser.templateArgs(state !== undefined)
  if (!args) return undefined
  if (state) state.endsWithTemplateArgs = true
  return named(unscoped.name, unscoped.name, args)
}

/**
 * Parses `<local-name>`: `Z`, the function's encoding, `E`, then an entity, a string literal (`s`) or an entity in a
 * default argument (`d`).
 */
function parseLocalName(parser: Parser, state: NameState | undefined): Node | undefined {
  parser.pos++
  const encoding = parser.encoding()
  if (!encoding || !parser.skip('E')) return undefined
  if (parser.skip('s')) {
    skipDiscriminator(parser)
    return sequence(encoding, '::string literal')
  }
  const { levels } = parser
  parser.levels = []
  const isDefaultArgument = parser.skip('d')
  if (isDefaultArgument) parser.number(true)
  const entity = isDefaultArgument && !parser.skip('_') ? undefined : parser.name(state)
  parser.levels = levels
  if (!entity) return undefined
  if (!isDefaultArgument) skipDiscriminator(parser)
  return sequence(encoding, '::', entity)
}

/**
 * Matches `<discriminator>`, which counts entities of the same name in a function: `_3`, `__12_`, or digits at the end
 * in names of old compilers.
 */
const discriminator = /_\d|__\d*_|\d+$/y

function skipDiscriminator(parser: Parser): void {
  discriminator.lastIndex = parser.pos
  if (discriminator.test(parser.text)) parser.pos = discriminator.lastIndex
}

interface UnscopedName {
  name: Node
  isSubstitution: boolean
}

/**
 * Parses `<unscoped-name>`, which has no scope or is in `std`. With `maySubstitute` a substitution may take its place.
 */
export function parseUnscopedName(
  parser: Parser,
  state: NameState | undefined,
  maySubstitute: boolean,
): UnscopedName | undefined {
  const scope = parser.skip('St') ? nameNode('std') : undefined
  let module: Node | undefined
  if (parser.peek() === 'S') {
    const substitution = parseSubstitution(parser)
    if (!substitution) return undefined
    if (substitution.kind !== 'module') {
      return maySubstitute && !scope ? { name: substitution, isSubstitution: true } : undefined
    }
    module = substitution
  }
  const name = parseUnqualifiedName(parser, state, scope, module)
  return name && { name, isSubstitution: false }
}
