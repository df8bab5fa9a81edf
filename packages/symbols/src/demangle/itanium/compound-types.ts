import { parseQualifiers } from './qualifiers.ts'
import { list, nameNode, node, operand, parens, sequence, type Node, type Part } from './node.ts'
import type { Parser } from './parser.ts'

/** Parses `<qualified-type>`: vendor and CV qualifiers, then the type that they qualify. */
export function parseQualifiedType(parser: Parser): Node | undefined {
  if (parser.skip('U')) return parseVendorQualifier(parser)
  const qualifiers = parseQualifiers(parser)
  const qualified = parser.type()
  return qualified && qualifiers !== '' ? node('qualified', qualifiers, [qualified]) : qualified
}

const protocolPrefix = 'objcproto'

/** Parses a vendor's qualifier, `U <source-name>`; Objective-C's `objcproto` names the protocol of an object. */
function parseVendorQualifier(parser: Parser): Node | undefined {
  const word = parser.word()
  if (word === '') return undefined
  if (word.startsWith(protocolPrefix)) return parseProtocol(parser, word.slice(protocolPrefix.length))
  const hasArgs = parser.peek() === 'I'
  const args = hasArgs ? parser.templateArgs() : undefined
  if (hasArgs && !args) return undefined
  const qualified = parser.nested(parseQualifiedType)
  return qualified && sequence(qualified, ` ${word}`, ...(args ? [args] : []))
}

/** Parses the protocol's name, which is length-prefixed inside the already counted source name, then the type. */
function parseProtocol(parser: Parser, counted: string): Node | undefined {
  const [digits = ''] = /^\d*/.exec(counted) ?? []
  const length = Number(digits)
  const protocol = counted.slice(digits.length, digits.length + length)
  if (protocol === '' || protocol.length < length) return undefined
  const object = parser.nested(parseQualifiedType)
  return object && node('objc protocol', protocol, [object])
}

/**
 * Parses `<function-type>`: `F <return type> <parameter types> E`, after CV qualifiers and an exception specification,
 * with the reference qualifier before the `E`.
 */
export function parseFunctionType(parser: Parser): Node | undefined {
  const qualifiers = parseQualifiers(parser)
  const exceptions = parseExceptions(parser)
  if (!exceptions) return undefined
  parser.skip('Dx')
  if (!parser.skip('F')) return undefined
  parser.skip('Y')
  const result = parser.type()
  if (!result) return undefined
  const parameters: Node[] = []
  let refQualifier = ''
  for (;;) {
    if (parser.skip('E')) break
    if (parser.skip('v')) continue
    if (parser.skip('RE')) {
      refQualifier = ' &'
      break
    }
    if (parser.skip('OE')) {
      refQualifier = ' &&'
      break
    }
    const parameter = parser.type()
    if (!parameter) return undefined
    parameters.push(parameter)
  }
  return node('function', '', [result, parens(list(parameters)), sequence(qualifiers + refQualifier, ...exceptions)])
}

/** Parses `<exception-spec>`: `Do` (noexcept), `DO` (noexcept with a condition) or `Dw` (dynamic exception types). */
function parseExceptions(parser: Parser): Part[] | undefined {
  if (parser.skip('Do')) return [' noexcept']
  if (parser.skip('DO')) {
    const condition = parser.expression()
    return condition && parser.skip('E') ? [' noexcept', parens(operand(condition))] : undefined
  }
  if (!parser.skip('Dw')) return []
  const types = parser.until('E', () => parser.type())
  return types && [' throw', parens(list(types))]
}

export function parseDecltype(parser: Parser): Node | undefined {
  if (!parser.skip('Dt') && !parser.skip('DT')) return undefined
  const content = parser.expression()
  return content && parser.skip('E') ? sequence('decltype', parens(content)) : undefined
}

/** Parses `<array-type>`: `A`, an optional bound, `_` and the element type. */
export function parseArrayType(parser: Parser): Node | undefined {
  parser.pos++
  const size = parseSize(parser)
  const element = size && parser.type()
  return element && node('array', '', [element, ...size])
}

/** Parses an array bound up to its `_`: a number, an expression or nothing. */
function parseSize(parser: Parser): Part[] | undefined {
  if (parser.skip('_')) return []
  const size = parser.isDigit() ? nameNode(parser.number()) : parser.expression()
  return size && parser.skip('_') ? [size] : undefined
}

export function parseMemberPointerType(parser: Parser): Node | undefined {
  parser.pos++
  const owner = parser.type()
  const member = owner && parser.type()
  return member && node('member pointer', '', [member, owner])
}

export function parseVectorType(parser: Parser): Node | undefined {
  parser.pos += 2
  const isNumber = parser.isDigit()
  const size = parseSize(parser)
  if (!size) return undefined
  if (isNumber && parser.skip('p')) return sequence('pixel vector[', ...size, ']')
  const element = parser.type()
  return element && sequence(element, ' vector[', ...size, ']')
}
