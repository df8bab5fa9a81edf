import { list, nameNode, node, parens, sequence, type Node, type Part } from './node.ts'
import type { NameState, Parser } from './parser.ts'
import { isTemplateParamDecl, parseTemplateParamDecl } from './template-params.ts'

/** Parses `<unnamed-type-name>`: `Ut` is a type without a name, `Ul` a lambda, `Ub` a block. */
export function parseUnnamedType(parser: Parser, state: NameState | undefined): Node | undefined {
  if (state) parser.levels = []
  if (parser.skip('Ut')) {
    const count = parser.number()
    return parser.skip('_') ? { ...nameNode(`'unnamed${count}'`), baseName: '' } : undefined
  }
  if (parser.skip('Ul')) return parseLambda(parser)
  if (!parser.skip('Ub')) return undefined
  parser.number()
  return parser.skip('_') ? nameNode("'block-literal'") : undefined
}

/** Parses a lambda, shown like `'lambda0'<typename $T>(int, auto) requires …`. */
function parseLambda(parser: Parser): Node | undefined {
  const before = parser.lambdaLevel
  const count = parser.levels.length
  parser.lambdaLevel = count
  const lambda = parseLambdaSignature(parser)
  parser.lambdaLevel = before
  parser.levels.length = Math.min(count, parser.levels.length)
  if (!lambda || !parser.skip('E')) return undefined
  const number = parser.number()
  return parser.skip('_') ? node('closure', '', [`'lambda${number}'`, lambda]) : undefined
}

function parseLambdaSignature(parser: Parser): Node | undefined {
  const level: Node[] = []
  parser.levels.push(level)
  const declarations: Node[] = []
  while (isTemplateParamDecl(parser)) {
    const declaration = parseTemplateParamDecl(parser, level)
    if (!declaration) return undefined
    declarations.push(declaration)
  }
  // A lambda without declared template parameters gets its level when the first `auto` needs it.
  if (declarations.length === 0) parser.levels.pop()
  const parts: Part[] = declarations.length > 0 ? [node('angles', '', [list(declarations)])] : []
  if (parser.skip('Q')) {
    const requires = parser.constraint()
    if (!requires) return undefined
    parts.push(' requires ', requires, ' ')
  }
  const parameters = parseLambdaParameters(parser)
  if (!parameters) return undefined
  parts.push(parens(list(parameters)))
  if (parser.skip('Q')) {
    const requires = parser.constraint()
    if (!requires) return undefined
    parts.push(' requires ', requires)
  }
  return sequence(...parts)
}

function parseLambdaParameters(parser: Parser): Node[] | undefined {
  const parameters: Node[] = []
  if (parser.skip('v')) return parameters
  do {
    const parameter = parser.type()
    if (!parameter) return undefined
    parameters.push(parameter)
  } while (parser.peek() !== 'E' && parser.peek() !== 'Q')
  return parameters
}
