import { popFunctionType } from './function-types.ts'
import { parseConstrainedRequirements } from './generics.ts'
import { branch, leaf, type, type Kind, type Node } from './node.ts'
import type { Parser } from './parser.ts'
import { parseNominal, popProtocolList } from './types.ts'

/** Parses `X` and a letter: the less common types. */
export function parseSpecialType(parser: Parser): Node | undefined {
  const letter = parser.next()
  switch (letter) {
    case 'E':
      return popFunctionType(parser, 'noescape')
    case 'A':
    case 'K':
      return popFunctionType(parser, 'autoclosure')
    case 'f':
      return popFunctionType(parser, 'thin')
    case 'U':
      return popFunctionType(parser, 'uncurried')
    case 'L':
      return popFunctionType(parser, 'escaping block')
    case 'B':
      return popFunctionType(parser, 'block')
    case 'C':
      return popFunctionType(parser, 'c')
    case 'z':
      return parseClangFunctionType(parser)
    case 'o':
      return type(branch('ModifiedType', 'unowned', parser.pop('Type')))
    case 'u':
      return type(branch('ModifiedType', 'unowned(unsafe)', parser.pop('Type')))
    case 'w':
      return type(branch('ModifiedType', 'weak', parser.pop('Type')))
    case 'b':
      return type(branch('SilBox', '@box ', parser.pop('Type')))
    case 'D':
      return parser.pop('Type') && type(leaf('BuiltinType', 'Self'))
    case 'M':
      return parseMetatype(parser, 'Metatype')
    case 'm':
      return parseMetatype(parser, 'ExistentialMetatype')
    case 'p':
      return type(branch('ExistentialMetatype', '', parser.pop('Type')))
    case 'P': {
      const requirements = parseConstrainedRequirements(parser)
      return type(branch('ConstrainedExistential', '', parser.pop('Type'), requirements))
    }
    case 'c': {
      const superclass = parser.pop('Type')
      return type(branch('ProtocolListWithClass', '', popProtocolList(parser), superclass))
    }
    case 'l':
      return type(branch('ProtocolListWithAnyObject', '', popProtocolList(parser)))
    case 'X':
    case 'x':
      return parseSilBox(parser, letter === 'X')
    case 'Y':
      return parseNominal(parser, 'OtherNominalType')
    case 'Z': {
      const types = parser.popTypes()
      const name = parser.pop('Identifier')
      return branch('AnonymousContext', '', name, parser.popContext(), types && branch('TypeList', '', ...types))
    }
    case 'e':
      return type(leaf('Identifier', '<ERROR TYPE>'))
    case 'g':
    case 'G': {
      const shape = parser.pop('Type')
      const signature = letter === 'G' ? parser.pop('DependentGenericSignature') : undefined
      return signature ? branch('ExistentialShape', '', shape, signature) : branch('ExistentialShape', '', shape)
    }
    case 'S':
      return parseSugaredType(parser)
    default:
      return undefined
  }
}

function parseClangFunctionType(parser: Parser): Node | undefined {
  if (parser.skip('B')) return popFunctionType(parser, 'block', true)
  return parser.skip('C') ? popFunctionType(parser, 'c', true) : undefined
}

const representations: Record<string, string> = { t: '@thin', T: '@thick', o: '@objc_metatype' }

function parseMetatype(parser: Parser, kind: Kind): Node | undefined {
  const representation = representations[parser.next()]
  return representation === undefined ? undefined : type(branch(kind, representation, parser.pop('Type')))
}

/**
 * Parses a SIL box with a layout: its fields, of which `inout` ones are printed as `var`, and with `X` a generic
 * signature and its arguments.
 */
function parseSilBox(parser: Parser, isGeneric: boolean): Node | undefined {
  const signature = isGeneric ? parser.pop('DependentGenericSignature') : undefined
  const args = isGeneric ? parser.popTypes() : undefined
  const fields = parser.popTypes()
  if (!fields || (isGeneric && !(signature && args))) return undefined
  const layout = branch('TypeList', '', ...fields)
  if (!signature || !args) return type(branch('SilBox', '', layout))
  return type(branch('SilBox', '', layout, signature, branch('TypeList', '', ...args)))
}

/** Parses sugared types, the notation of the source code that only debug information keeps. */
function parseSugaredType(parser: Parser): Node | undefined {
  switch (parser.next()) {
    case 'q':
      return type(branch('SugaredType', '?', parser.pop('Type')))
    case 'a':
      return type(branch('SugaredType', '[{0}]', parser.pop('Type')))
    case 'A': {
      const element = parser.pop('Type')
      return type(branch('SugaredType', '[{0} x {1}]', parser.pop('Type'), element))
    }
    case 'D': {
      const value = parser.pop('Type')
      return type(branch('SugaredType', '[{0} : {1}]', parser.pop('Type'), value))
    }
    case 'p':
      return type(branch('SugaredType', '({0})', parser.pop('Type')))
    default:
      return undefined
  }
}
