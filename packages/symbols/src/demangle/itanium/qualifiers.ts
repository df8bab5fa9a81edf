import type { Parser } from './parser.ts'

/** Parses `<CV-qualifiers>` (`r`, `V`, `K`) and returns them as they are printed after a type. */
export function parseQualifiers(parser: Parser): string {
  const isRestrict = parser.skip('r')
  const isVolatile = parser.skip('V')
  const isConst = parser.skip('K')
  if (!isConst && !isVolatile && !isRestrict) return ''
  return `${isConst ? ' const' : ''}${isVolatile ? ' volatile' : ''}${isRestrict ? ' restrict' : ''}`
}
