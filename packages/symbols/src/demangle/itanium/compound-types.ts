import { parseQualifiers } from './qualifiers.ts'
import { list, nameNode, node, operand, parens, sequence, type Node, type Part } from './node.ts'
import type { Parser } from './parser.ts'

/** Qualifiers of its own or of the vendor's, then the type. */
export function parseQualifiedType(parser: Parser): Node | undefined {
  if (parser.skip('U')) return parseVendorQualifier(parser)
  const qualifiers = parseQualifiers(parser)
  const qualified = parser.type()
  return qualified && qualifiers !== '' ? node('qualified', qualifiers, [qualified]) : qualified
}

const protocolPrefix = 'objcproto'

/** `U` a word: a vendor's qualifier, or the Objective-C protocol that an object conforms to. */
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

/** The protocol's name with its length before it, which may be followed by more; then the type. */
function parseProtocol(parser: Parser, counted: string): Node | undefined {
  const [digits = ''] = /^\d*/.exec(counted) ?? []
  const length = Number(digits)
  const protocol = counted.slice(digits.length, digits.length + length)
  if (protocol === '' || protocol.length < length) return undefined
  const object = parser.nested(parseQualifiedType)
  return object && node('objc protocol', protocol, [object])
}

/** `F` result parameters `E`, with qualifiers and exceptions before it and a reference qualifier at its end. */
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

/** `Do` noexcept, `DO` a condition for it, `Dw` the types that may be thrown. */
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

/** `A3_i`, with an expression for the size, or without a size. */
export function parseArrayType(parser: Parser): Node | undefined {
  parser.pos++
  const size = parseSize(parser)
  const element = size && parser.type()
  return element && node('array', '', [element, ...size])
}

/** What stands before the `_`: a number, an expression or nothing. */
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
