import { parseAbiTags } from './abi-tags.ts'
import { operatorFunction, parseOperator } from './operators.ts'
import { list, named, nameNode, node, sequence, type Node } from './node.ts'
import type { NameState, Parser } from './parser.ts'
import { parseQualifiers } from './qualifiers.ts'
import { expandSpecial, parseSubstitution } from './substitutions.ts'
import { parseDecltype } from './compound-types.ts'
import { parseTemplateParam } from './template-params.ts'
import { parseUnnamedType } from './unnamed-types.ts'

/** A name: nested (`N`), local to a function (`Z`), or unscoped with the template arguments it may have. */
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

/** `Z` function `E` and what is local to it: an entity, a string literal (`s`), or a default argument's (`d`). */
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

/** `_3`, `__12_`, or in old names digits at the end: which of the entities of one name it is. */
const discriminator = /_\d|__\d*_|\d+$/y

function skipDiscriminator(parser: Parser): void {
  discriminator.lastIndex = parser.pos
  if (discriminator.test(parser.text)) parser.pos = discriminator.lastIndex
}

interface UnscopedName {
  name: Node
  isSubstitution: boolean
}

/** A name without a scope or in `std`; with `maySubstitute` a substitution stands for it too. */
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

function parseUnqualifiedName(
  parser: Parser,
  state: NameState | undefined,
  prefix: Node | undefined,
  outerModule: Node | undefined,
): Node | undefined {
  const found = parseModule(parser, outerModule)
  if (!found) return undefined
  const { module } = found
  const isFriend = prefix !== undefined && parser.skip('F')
  parser.skip('L')
  // `std::string` is written out where its constructor or destructor is named.
  const isMember = /^(?:C|D[^C])/.test(parser.text.slice(parser.pos, parser.pos + 2))
  const scope = isMember ? expandSpecial(prefix) : prefix
  let name = parseOwnName(parser, state, scope, module)
  if (name && module) name = named(name, name, '@', module)
  if (name) name = parseAbiTags(parser, name)
  if (!name || !scope) return name
  return isFriend ? named(name, scope, '::friend ', name) : named(name, scope, '::', name)
}

function parseOwnName(
  parser: Parser,
  state: NameState | undefined,
  scope: Node | undefined,
  module: Node | undefined,
): Node | undefined {
  if (parser.isDigit() && parser.peek() !== '0') return parseSourceName(parser)
  if (parser.peek() === 'U') return parseUnnamedType(parser, state)
  if (parser.skip('DC')) {
    const bindings = parser.until('E', () => parseSourceName(parser))
    return bindings && bindings.length > 0 ? node('brackets', '[]', [list(bindings)]) : undefined
  }
  if (parser.peek() !== 'C' && parser.peek() !== 'D') return parseOperatorName(parser, state)
  return scope && !module ? parseCtorDtor(parser, scope, state) : undefined
}

/** `W` name parts of a C++20 module, `WP` for a partition. */
export function parseModule(parser: Parser, outer?: Node): { module: Node | undefined } | undefined {
  let module = outer
  while (parser.skip('W')) {
    const separator = parser.skip('P') ? ':' : '.'
    const name = parseSourceName(parser)
    if (!name) return undefined
    if (module) module = node('module', '', [module, separator, name])
    else module = node('module', '', separator === ':' ? [separator, name] : [name])
    parser.remember(module)
  }
  return { module }
}

export function parseSourceName(parser: Parser): Node | undefined {
  const word = parser.isDigit() ? parser.word() : ''
  if (word === '') return undefined
  return nameNode(word.startsWith('_GLOBAL__N') ? '(anonymous namespace)' : word)
}

export function parseOperatorName(parser: Parser, state: NameState | undefined): Node | undefined {
  const operator = parseOperator(parser)
  if (operator?.kind === 'cast') return parseConversion(parser, state)
  if (operator) {
    const name = operatorFunction(operator)
    return name === undefined ? undefined : nameNode(name)
  }
  if (parser.skip('li')) {
    const suffix = parseSourceName(parser)
    return suffix && sequence('operator"" ', suffix)
  }
  if (parser.peek() !== 'v' || !parser.isDigit(1)) return undefined
  parser.pos += 2
  const vendor = parseSourceName(parser)
  return vendor && sequence('operator ', vendor)
}

/** A conversion's type may have template parameters whose arguments come after it. */
function parseConversion(parser: Parser, state: NameState | undefined): Node | undefined {
  const before = parser.permitsForwards
  parser.permitsForwards ||= state !== undefined
  const target = parser.typeWithoutArgs()
  parser.permitsForwards = before
  if (!target) return undefined
  if (state) state.isUntyped = true
  return sequence('operator ', target)
}

function parseCtorDtor(parser: Parser, scope: Node, state: NameState | undefined): Node | undefined {
  const isCtor = parser.skip('C')
  if (!isCtor) parser.pos++
  const isInherited = isCtor && parser.skip('I')
  if (!(isCtor ? '12345' : '01245').includes(parser.peek()) || parser.done) return undefined
  parser.pos++
  if (state) state.isUntyped = true
  if (isInherited && !parser.name(state)) return undefined
  return sequence(`${isCtor ? '' : '~'}${scope.baseName}`)
}

/** `N` qualifiers, then prefixes that each qualify the next, `E`. */
function parseNestedName(parser: Parser, state: NameState | undefined): Node | undefined {
  parser.pos++
  if (parser.skip('H')) {
    if (state) state.hasExplicitObject = true
  } else {
    const qualifiers = parseQualifiers(parser)
    const refQualifier = parser.skip('O') ? ' &&' : parser.skip('R') ? ' &' : ''
    if (state) Object.assign(state, { qualifiers, refQualifier })
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
    // Once a marker of data members whose initializers hold lambdas.
    parser.skip('M')
  }
  // The whole name is no prefix, unless its user makes it one.
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
