import {
  expression,
  list,
  nameNode,
  node,
  operand,
  parens,
  precedence,
  sequence,
  type Node,
  type Part,
} from './node.ts'
import { parseOperator, type Operator } from './operators.ts'
import type { Parser } from './parser.ts'

/** Parses the operands after the letters of an operator. */
export function parseOperatorExpression(parser: Parser, operator: Operator, isGlobal: boolean): Node | undefined {
  const { symbol, precedence: rank } = operator
  switch (operator.kind) {
    case 'binary':
      return parseBinary(parser, operator)
    case 'prefix':
      return parsePrefix(parser, operator)
    case 'postfix': {
      if (parser.skip('_')) return parsePrefix(parser, operator)
      const child = parser.expression()
      return child && expression(rank, operand(child, rank, true), symbol)
    }
    case 'array': {
      const base = parser.expression()
      const index = base && parser.expression()
      return index && expression(rank, operand(base, rank), node('brackets', '[]', [operand(index)]))
    }
    case 'member': {
      const object = parser.expression()
      const member = object && parser.expression()
      return member && expression(rank, operand(object, rank, true), symbol, operand(member, rank))
    }
    case 'delete': {
      const child = parser.expression()
      return child && expression(rank, `${isGlobal ? '::' : ''}${symbol} `, child)
    }
    case 'call': {
      const callee = parser.expression()
      const args = callee && parser.until('E', () => parser.expression())
      return args && expression(rank, callee, parens(list(args)))
    }
    case 'cast':
      return parseCast(parser, rank)
    case 'conditional':
      return parseConditional(parser, rank)
    case 'named cast': {
      const target = parser.type()
      const source = target && parser.expression()
      const angles = target && node('angles', '', [node('left', '', [target])])
      return source && angles && expression(rank, symbol, angles, parens(operand(source)))
    }
    case 'of type':
    case 'of expression': {
      const content = operator.kind === 'of type' ? parser.type() : parser.expression()
      return content && expression(rank, symbol, parens(content))
    }
    case 'new':
    case 'name only':
      return undefined
    default:
      return operator.kind satisfies never
  }
}

/**
 * Parses a binary operator. Assignments group from the right, and their left operand needs at least the precedence of
 * `||`.
 */
function parseBinary(parser: Parser, { symbol, precedence: rank }: Operator): Node | undefined {
  const left = parser.expression()
  const right = left && parser.expression()
  if (!right) return undefined
  const isAssign = rank === precedence.assign
  const leftOperand = operand(left, isAssign ? precedence.orIf : rank, !isAssign)
  const words = `${symbol === ',' ? '' : ' '}${symbol} `
  return node('binary', symbol, [leftOperand, words, operand(right, rank, isAssign)], rank)
}

function parsePrefix(parser: Parser, { symbol, precedence: rank }: Operator): Node | undefined {
  const child = parser.expression()
  return child && expression(rank, symbol, operand(child, rank))
}

function parseConditional(parser: Parser, rank: number): Node | undefined {
  const condition = parser.expression()
  const then = condition && parser.expression()
  const otherwise = then && parser.expression()
  if (!otherwise) return undefined
  return expression(
    rank,
    operand(condition, rank),
    ' ? ',
    operand(then),
    ' : ',
    operand(otherwise, precedence.assign, true),
  )
}

/** Parses a conversion: `cv`, a type, and either one expression or `_`, any number of expressions and `E`. */
function parseCast(parser: Parser, rank: number): Node | undefined {
  const target = parser.typeWithoutArgs()
  if (!target) return undefined
  const sources = parser.skip('_') ? parser.until('E', () => parser.expression()) : parseOne(parser)
  return sources && expression(rank, parens(target), parens(list(sources)))
}

function parseOne(parser: Parser): Node[] | undefined {
  const only = parser.expression()
  return only && [only]
}

/**
 * Parses a new expression after its letters: placement arguments, `_`, type, then `pi` and initializers or nothing,
 * `E`.
 */
export function parseNew(parser: Parser, { symbol, precedence: rank }: Operator, isGlobal: boolean): Node | undefined {
  const placement = parser.until('_', () => parser.expression())
  const made = placement && parser.type()
  if (!made) return undefined
  const initializers = parser.skip('pi')
    ? parser.until('E', () => parser.expression())
    : parser.skip('E')
      ? []
      : undefined
  if (!initializers) return undefined
  const parts: Part[] = [`${isGlobal ? '::' : ''}${symbol}`]
  if (placement.length > 0) parts.push(parens(list(placement)))
  parts.push(' ', made)
  if (initializers.length > 0) parts.push(parens(list(initializers)))
  return expression(rank, ...parts)
}

/**
 * Parses `<function-param>`: `fp_` is the first parameter, `fp0_` the second, `fL…p` is one of an outer function, `fpT`
 * is `this`.
 */
export function parseFunctionParam(parser: Parser): Node | undefined {
  if (parser.skip('fpT')) return nameNode('this')
  if (parser.skip('fL')) {
    if (parser.number() === '' || !parser.skip('p')) return undefined
  } else if (!parser.skip('fp')) {
    return undefined
  }
  for (const qualifier of 'rVK') parser.skip(qualifier)
  const number = parser.number()
  return parser.skip('_') ? sequence(`fp${number}`) : undefined
}

/** Parses `<fold-expr>`: `fl` and `fr` are unary folds, `fL` and `fR` binary ones with an initial value. */
export function parseFold(parser: Parser): Node | undefined {
  const letter = parser.peek(1)
  if (!'lrLR'.includes(letter) || letter === '') return undefined
  parser.pos += 2
  const operator = parseOperator(parser)
  if (!operator || (operator.kind !== 'binary' && !(operator.kind === 'member' && operator.symbol.endsWith('*')))) {
    return undefined
  }
  const isLeft = letter.toLowerCase() === 'l'
  const first = parser.expression()
  const second = first && letter <= 'Z' ? parser.expression() : undefined
  if (!first || (letter <= 'Z' && !second)) return undefined
  const pack = isLeft && second ? second : first
  const initial = isLeft && second ? first : second
  const words = ` ${operator.symbol} `
  const expanded = parens(node('expansion', '', [pack]))
  const value = initial && operand(initial, precedence.cast, true)
  if (isLeft) return parens(...(value ? [value, words] : []), '...', words, expanded)
  return parens(expanded, words, '...', ...(value ? [words, value] : []))
}
