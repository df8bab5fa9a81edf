import { parseLiteral } from './literals.ts'
import { inner, list, node, sequence, type Node } from './node.ts'
import type { Parser } from './parser.ts'
import { isTemplateParamDecl, parseTemplateParamDecl } from './template-params.ts'

/**
 * Parses `<template-args>`: `I`, arguments, `E`. With `isTagged`, later template parameters refer to these arguments.
 */
export function parseTemplateArgs(parser: Parser, isTagged: boolean): Node | undefined {
  if (!parser.skip('I')) return undefined
  const level: Node[] = []
  if (isTagged) parser.levels = [level]
  const args: Node[] = []
  while (!parser.skip('E')) {
    const arg = parseTemplateArg(parser)
    if (!arg) return undefined
    args.push(arg)
    if (isTagged) level.push(arg.kind === 'argument pack' ? node('pack', '', arg.parts) : asParameter(arg))
    // A requires clause is parsed but not shown.
    if (!parser.skip('Q')) continue
    if (!parser.constraint() || !parser.skip('E')) return undefined
    break
  }
  return node('angles', '', [list(args)])
}

/** Removes the parameter's declaration that an argument may carry, so that references see the argument alone. */
const asParameter = (arg: Node): Node => (arg.text === 'declared' ? (inner(arg) ?? arg) : arg)

/**
 * Parses `<template-arg>`: a type, an expression (`X`), a literal (`L`) or a pack (`J`), optionally after its
 * parameter's declaration.
 */
export function parseTemplateArg(parser: Parser): Node | undefined {
  switch (parser.peek()) {
    case 'X': {
      parser.pos++
      const arg = parser.expression()
      return arg && parser.skip('E') ? arg : undefined
    }
    case 'J': {
      parser.pos++
      const args = parser.until('E', () => parser.nested(() => parseTemplateArg(parser)))
      return args && node('argument pack', '', args)
    }
    case 'L': {
      if (parser.peek(1) !== 'Z') return parseLiteral(parser)
      parser.pos += 2
      const arg = parser.encoding()
      return arg && parser.skip('E') ? arg : undefined
    }
    default:
      return isTemplateParamDecl(parser) ? parseDeclaredArg(parser) : parser.type()
  }
}

function parseDeclaredArg(parser: Parser): Node | undefined {
  const declaration = parseTemplateParamDecl(parser, undefined)
  const arg = declaration && parser.nested(() => parseTemplateArg(parser))
  return arg && { ...sequence(arg), text: 'declared' }
}
