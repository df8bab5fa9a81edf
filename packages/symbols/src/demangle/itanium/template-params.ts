import { list, nameNode, node, sequence, type Node } from './node.ts'
import type { Parser } from './parser.ts'

/** Parses `<template-param>` (`T_`, `T0_`, `TL0__`…) and returns its argument or a placeholder. */
export function parseTemplateParam(parser: Parser): Node | undefined {
  const start = parser.pos
  if (!parser.skip('T')) return undefined
  const level = parser.skip('L') ? parseLevel(parser) : 0
  const index = level === undefined ? undefined : parseOrdinal(parser)
  if (level === undefined || index === undefined) return undefined
  if (parser.isConstraint) return nameNode(parser.text.slice(start, parser.pos - 1))
  if (parser.permitsForwards && level === 0) {
    const forward: Node = { ...node('forward', '', []), index }
    parser.forwards.push(forward)
    return forward
  }
  const known = parser.levels[level]?.[index]
  if (known) return known
  // A parameter of a generic lambda that no declaration names is an `auto` parameter.
  if (parser.lambdaLevel !== level || level > parser.levels.length) return undefined
  if (level === parser.levels.length) parser.levels.push(undefined)
  return nameNode('auto')
}

/** Parses the level of a template parameter: the innermost level is omitted, `0_` is 1. */
function parseLevel(parser: Parser): number | undefined {
  return parser.isDigit() ? parseOrdinal(parser) : undefined
}

/** Parses the index of a template parameter: `_` is 0, `0_` is 1. */
function parseOrdinal(parser: Parser): number | undefined {
  if (parser.skip('_')) return 0
  const digits = parser.number()
  return digits !== '' && parser.skip('_') ? Number(digits) + 1 : undefined
}

/** Whether `<template-param-decl>` comes next: `Ty`, `Tk`, `Tn`, `Tt` or `Tp`. */
export const isTemplateParamDecl = (parser: Parser): boolean =>
  parser.peek() === 'T' && !parser.done && 'yptnk'.includes(parser.peek(1)) && parser.peek(1) !== ''

type Invented = keyof Parser['invented']

/** Parses `<template-param-decl>` and adds the invented name of its parameter to `level`. */
export function parseTemplateParamDecl(parser: Parser, level: Node[] | undefined): Node | undefined {
  const invent = (kind: Invented): Node => {
    const count = parser.invented[kind]++
    const name = nameNode(count === 0 ? kind : `${kind}${count - 1}`)
    level?.push(name)
    return name
  }
  if (parser.skip('Ty')) return node('declaration', '', ['typename ', invent('$T')])
  if (parser.skip('Tk')) {
    const constraint = parser.name()
    return constraint && node('declaration', '', [sequence(constraint, ' '), invent('$T')])
  }
  if (parser.skip('Tn')) {
    const name = invent('$N')
    const valueType = parser.type()
    return valueType && node('declaration', 'value', ['', name, valueType])
  }
  if (parser.skip('Tt')) return parseTemplateTemplateParam(parser, invent('$TT'))
  if (!parser.skip('Tp')) return undefined
  const pack = parser.nested(() => parseTemplateParamDecl(parser, level))
  return pack && node('pack declaration', '', [pack])
}

function parseTemplateTemplateParam(parser: Parser, name: Node): Node | undefined {
  const count = parser.levels.length
  const level: Node[] = []
  parser.levels.push(level)
  const parameters: Node[] = []
  let requires: Node | undefined
  while (!parser.skip('E')) {
    const parameter = parser.nested(() => parseTemplateParamDecl(parser, level))
    if (!parameter) return undefined
    parameters.push(parameter)
    if (!parser.skip('Q')) continue
    requires = parser.constraint()
    if (!requires || !parser.skip('E')) return undefined
    break
  }
  parser.levels.length = Math.min(count, parser.levels.length)
  const left = sequence('template', node('angles', '', [list(parameters)]), ' typename ')
  return node('declaration', '', [left, requires ? sequence(name, ' requires ', requires) : name])
}
