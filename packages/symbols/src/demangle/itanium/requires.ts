import { list, node, parens, sequence, type Node, type Part } from './node.ts'
import type { Parser } from './parser.ts'

/** Parses a requires expression: `rq`, requirements, `E`, or `rQ`, parameters, `_`, requirements, `E`. */
export function parseRequires(parser: Parser): Node | undefined {
  const hasParameters = parser.peek(1) === 'Q'
  parser.pos += 2
  const parameters = hasParameters ? parser.until('_', () => parser.type()) : []
  const requirements = parameters && parser.until('E', () => parseRequirement(parser))
  if (!requirements || requirements.length === 0) return undefined
  const before: Part[] = parameters.length > 0 ? [' ', parens(list(parameters))] : []
  return sequence('requires', ...before, ' ', node('brackets', '{}', [...requirements, ' ']))
}

/** Parses `<requirement>`: `X` and an expression, `T` and a type, or `Q` and a constraint. */
function parseRequirement(parser: Parser): Node | undefined {
  if (parser.skip('T')) {
    const required = parser.type()
    return required && sequence(' typename ', required, ';')
  }
  if (parser.skip('Q')) {
    const constraint = parser.expression()
    return constraint && sequence(' requires ', constraint, ';')
  }
  const checked = parser.skip('X') ? parser.expression() : undefined
  if (!checked) return undefined
  const isNoexcept = parser.skip('N')
  const constraint = parser.skip('R') ? parser.name() : undefined
  if (parser.text.charAt(parser.pos - 1) === 'R' && !constraint) return undefined
  if (!isNoexcept && !constraint) return sequence(' ', checked, ';')
  const braced = node('brackets', '{}', [checked])
  return sequence(' ', braced, isNoexcept ? ' noexcept' : '', ...(constraint ? [' -> ', constraint] : []), ';')
}
