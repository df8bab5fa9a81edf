import { builtinTypes, longBuiltinTypes } from './builtin-types.ts'
import {
  parseArrayType,
  parseDecltype,
  parseFunctionType,
  parseMemberPointerType,
  parseQualifiedType,
  parseVectorType,
} from './compound-types.ts'
import { parseUnscopedName } from './names.ts'
import { named, nameNode, node, operand, parens, sequence, type Node } from './node.ts'
import type { Parser } from './parser.ts'
import { parseTemplateParam } from './template-params.ts'

/** Parses `<type>`. All types but builtin types and substitutions become substitutions. */
export function parseType(parser: Parser): Node | undefined {
  const letter = parser.peek()
  const builtin = builtinTypes[letter]
  if (builtin !== undefined) {
    parser.pos++
    return nameNode(builtin)
  }
  if (letter === 'D' && isLongBuiltin(parser.peek(1))) return parseLongBuiltin(parser)
  if (letter === 'S' && parser.peek(1) !== 't') return parseSubstitutedType(parser)
  return parser.remember(parseSubstitutableType(parser, letter))
}

const functionType = /r?V?K?(?:F|D[oOwx])/y

function parseSubstitutableType(parser: Parser, letter: string): Node | undefined {
  functionType.lastIndex = parser.pos
  switch (letter) {
    case 'r':
    case 'V':
    case 'K':
      return functionType.test(parser.text) ? parseFunctionType(parser) : parseQualifiedType(parser)
    case 'U':
      return parseQualifiedType(parser)
    case 'u':
      return parseVendorType(parser)
    case 'D':
      return parseDType(parser)
    case 'F':
      return parseFunctionType(parser)
    case 'A':
      return parseArrayType(parser)
    case 'M':
      return parseMemberPointerType(parser)
    case 'T':
      return parseTType(parser)
    case 'P':
      return parseWrapped(parser, (pointee) => node('pointer', '', [pointee]))
    case 'R':
      return parseWrapped(parser, (referred) => node('reference', '&', [referred]))
    case 'O':
      return parseWrapped(parser, (referred) => node('reference', '&&', [referred]))
    case 'C':
      return parseWrapped(parser, (real) => sequence(node('left', '', [real]), ' complex'))
    case 'G':
      return parseWrapped(parser, (real) => sequence(node('left', '', [real]), ' imaginary'))
    default:
      return parser.name()
  }
}

function parseWrapped(parser: Parser, wrap: (content: Node) => Node): Node | undefined {
  parser.pos++
  const content = parser.type()
  return content && wrap(content)
}

const isLongBuiltin = (letter: string): boolean => letter in longBuiltinTypes || /[FBUkK]/.test(letter)

/**
 * Parses the types of `D` and a letter that do not become substitutions: builtin types, types with a bit width, and
 * constrained `auto`.
 */
function parseLongBuiltin(parser: Parser): Node | undefined {
  const letter = parser.peek(1)
  const builtin = longBuiltinTypes[letter]
  parser.pos += 2
  if (builtin !== undefined) return nameNode(builtin)
  if (letter === 'F') {
    const bits = parser.number()
    return parser.skip('_') ? nameNode(`_Float${bits}`) : undefined
  }
  if (letter === 'B' || letter === 'U') {
    const bits = parser.isDigit() ? nameNode(parser.number()) : parser.expression()
    if (!bits || !parser.skip('_')) return undefined
    return sequence(letter === 'B' ? '_BitInt' : 'unsigned _BitInt', parens(operand(bits)))
  }
  const constraint = parser.name()
  return constraint && sequence(node('left', '', [constraint]), letter === 'k' ? ' auto' : ' decltype(auto)')
}

function parseDType(parser: Parser): Node | undefined {
  switch (parser.peek(1)) {
    case 't':
    case 'T':
      return parseDecltype(parser)
    case 'v':
      return parseVectorType(parser)
    case 'p': {
      parser.pos++
      return parseWrapped(parser, (pattern) => node('expansion', '', [pattern]))
    }
    case 'o':
    case 'O':
    case 'w':
    case 'x':
      return parseFunctionType(parser)
    default:
      return undefined
  }
}

/** Parses a vendor's type, `u <source-name>`, or with arguments in `I…E` a type transformation. */
function parseVendorType(parser: Parser): Node | undefined {
  parser.pos++
  const name = parser.word()
  if (name === '') return undefined
  if (!parser.skip('I')) return nameNode(name)
  const base = parser.type()
  return base && parser.skip('E') ? sequence(`${name}(`, base, ')') : undefined
}

const elaborated: Record<string, string> = { s: 'struct ', u: 'union ', e: 'enum ' }

/**
 * Parses a template parameter, with arguments if it is a template template parameter, or an elaborated name (`Ts`,
 * `Tu`, `Te`).
 */
function parseTType(parser: Parser): Node | undefined {
  const keyword = elaborated[parser.peek(1)]
  if (keyword !== undefined) {
    parser.pos += 2
    const name = parser.name()
    return name && sequence(keyword, name)
  }
  const parameter = parseTemplateParam(parser)
  if (!parameter || !parser.takesTemplateArgs || parser.peek() !== 'I') return parameter
  const args = parser.templateArgs()
  return args && sequence(parameter, args)
}

/** Parses `<substitution>` as a type, with template arguments if it is a template. */
function parseSubstitutedType(parser: Parser): Node | undefined {
  const unscoped = parseUnscopedName(parser, undefined, true)
  if (!unscoped) return undefined
  const { name, isSubstitution } = unscoped
  if (parser.peek() === 'I' && (!isSubstitution || parser.takesTemplateArgs)) {
    if (!isSubstitution) parser.remember(name)
    const args = parser.templateArgs()
    return args && parser.remember(named(name, name, args))
  }
  return isSubstitution ? name : parser.remember(name)
}
