import { precedence } from './node.ts'
import type { Parser } from './parser.ts'

type OperatorKind =
  | 'binary'
  | 'prefix'
  | 'postfix'
  | 'array'
  | 'member'
  | 'new'
  | 'delete'
  | 'call'
  | 'cast'
  | 'conditional'
  | 'name only'
  | 'named cast'
  | 'of type'
  | 'of expression'

export interface Operator {
  kind: OperatorKind
  /** The operator as it is written in an expression. */
  symbol: string
  precedence: number
}

const { assign, unary, postfix, relational, multiplicative, additive, shift, equality, memberPointer } = precedence

const row = (kind: OperatorKind, rank: number, symbol: string): Operator => ({ kind, symbol, precedence: rank })

/** Operators by the two letters that encode them. */
const operators: Record<string, Operator> = {
  aN: row('binary', assign, '&='),
  aS: row('binary', assign, '='),
  aa: row('binary', precedence.andIf, '&&'),
  ad: row('prefix', unary, '&'),
  an: row('binary', precedence.and, '&'),
  at: row('of type', unary, 'alignof '),
  aw: row('name only', precedence.primary, 'co_await'),
  az: row('of expression', unary, 'alignof '),
  cc: row('named cast', postfix, 'const_cast'),
  cl: row('call', postfix, '()'),
  cm: row('binary', precedence.comma, ','),
  co: row('prefix', unary, '~'),
  cv: row('cast', precedence.cast, ''),
  dV: row('binary', assign, '/='),
  da: row('delete', unary, 'delete[]'),
  dc: row('named cast', postfix, 'dynamic_cast'),
  de: row('prefix', unary, '*'),
  dl: row('delete', unary, 'delete'),
  ds: row('member', memberPointer, '.*'),
  dt: row('member', postfix, '.'),
  dv: row('binary', assign, '/'),
  eO: row('binary', assign, '^='),
  eo: row('binary', precedence.xor, '^'),
  eq: row('binary', equality, '=='),
  ge: row('binary', relational, '>='),
  gt: row('binary', relational, '>'),
  ix: row('array', postfix, '[]'),
  lS: row('binary', assign, '<<='),
  le: row('binary', relational, '<='),
  ls: row('binary', shift, '<<'),
  lt: row('binary', relational, '<'),
  mI: row('binary', assign, '-='),
  mL: row('binary', assign, '*='),
  mi: row('binary', additive, '-'),
  ml: row('binary', multiplicative, '*'),
  mm: row('postfix', postfix, '--'),
  na: row('new', unary, 'new[]'),
  ne: row('binary', equality, '!='),
  ng: row('prefix', unary, '-'),
  nt: row('prefix', unary, '!'),
  nw: row('new', unary, 'new'),
  oR: row('binary', assign, '|='),
  oo: row('binary', precedence.orIf, '||'),
  or: row('binary', precedence.or, '|'),
  pL: row('binary', assign, '+='),
  pl: row('binary', additive, '+'),
  pm: row('member', memberPointer, '->*'),
  pp: row('postfix', postfix, '++'),
  ps: row('prefix', unary, '+'),
  pt: row('member', postfix, '->'),
  qu: row('conditional', precedence.conditional, '?'),
  rM: row('binary', assign, '%='),
  rS: row('binary', assign, '>>='),
  rc: row('named cast', postfix, 'reinterpret_cast'),
  rm: row('binary', multiplicative, '%'),
  rs: row('binary', shift, '>>'),
  sc: row('named cast', postfix, 'static_cast'),
  ss: row('binary', precedence.spaceship, '<=>'),
  st: row('of type', unary, 'sizeof '),
  sz: row('of expression', unary, 'sizeof '),
  te: row('of expression', postfix, 'typeid '),
  ti: row('of type', postfix, 'typeid '),
}

/** Returns the operator at the parser's position and moves past it. */
export function parseOperator(parser: Parser): Operator | undefined {
  const operator = operators[parser.text.slice(parser.pos, parser.pos + 2)]
  if (operator) parser.pos += 2
  return operator
}

/** Returns the name of the function that overloads an operator; undefined if the operator cannot be overloaded. */
export function operatorFunction({ kind, symbol }: Operator): string | undefined {
  if (kind === 'named cast' || kind === 'of type' || kind === 'of expression') return undefined
  // Only `.` and `.*` cannot be overloaded in C++, but llvm-cxxfilt accepts just `->` of the member operators.
  if (kind === 'member' && symbol !== '->') return undefined
  return /^[a-z]/.test(symbol) ? `operator ${symbol}` : `operator${symbol}`
}
