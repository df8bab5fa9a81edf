import { nameNode, sequence, type Node } from './node.ts'
import { operatorFunction, parseOperator } from './operators.ts'
import type { NameState, Parser } from './parser.ts'
import { parseSourceName } from './source-names.ts'

/** Parses `<operator-name>`: an overloaded operator, a conversion (`cv`) or a literal operator (`li`). */
export function parseOperatorName(parser: Parser, state: NameState | undefined): Node | undefined {
  const operator = parseOperator(parser)
  if (operator?.kind === 'cast') return parseConversion(parser, state)
  if (operator) {
    const name = operatorFunction(operator)
    return name === undefined ? undefined : nameNode(name)
  }
  if (parser.skip('li')) {
    const suffix = parseSourceName(parser)
    return suffix && sequence('operator"" ', suffix)
  }
  if (parser.peek() !== 'v' || !parser.isDigit(1)) return undefined
  parser.pos += 2
  const vendor = parseSourceName(parser)
  return vendor && sequence('operator ', vendor)
}

/** Parses a conversion operator. Its type may refer to template parameters whose arguments come after it. */
function parseConversion(parser: Parser, state: NameState | undefined): Node | undefined {
  const before = parser.permitsForwards
  parser.permitsForwards ||= state !== undefined
  const target = parser.typeWithoutArgs()
  parser.permitsForwards = before
  if (!target) return undefined
  if (state) state.isUntyped = true
  return sequence('operator ', target)
}
