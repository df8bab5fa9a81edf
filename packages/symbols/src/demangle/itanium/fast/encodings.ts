import { isEnd, parseParameters } from './parameters.ts'
import { unsupported, type FastParser, Shape } from './fast-parser.ts'
import { writeQualifiers } from './types.ts'
import { word } from './words.ts'

/** Writes `<encoding>`: a function with its parameters, an object, or a special name. `isShort` skips the types. */
export function parseEncoding(parser: FastParser, isShort: boolean): number {
  const letter = parser.peek()
  if (letter === 0x54 || letter === 0x47) return parseSpecialName(parser)
  const { level, levelStart, levelCount, argCount, elementCount, isUntyped, endsWithTemplateArgs, qualifiers } = parser
  parser.levelCount = -1
  parser.level = 0
  parser.isUntyped = parser.endsWithTemplateArgs = false
  parser.qualifiers = 0
  const shape = parseFunction(parser, isShort)
  parser.level = level
  parser.levelStart = levelStart
  parser.levelCount = levelCount
  parser.argCount = argCount
  parser.elementCount = elementCount
  parser.isUntyped = isUntyped
  parser.endsWithTemplateArgs = endsWithTemplateArgs
  parser.qualifiers = qualifiers
  return shape
}

const space = word(' ')
const lvalue = word(' &')
const rvalue = word(' &&')

function parseFunction(parser: FastParser, isShort: boolean): number {
  const start = parser.length
  const shape = parser.grammar.name(parser, true)
  if (shape === unsupported || isEnd(parser)) return shape
  if (isShort) {
    parser.at = parser.end
    return shape
  }
  const { qualifiers } = parser
  if (parser.endsWithTemplateArgs && !parser.isUntyped) {
    const middle = parser.length
    const result = parser.type()
    if (result === unsupported || (result & (Shape.hasRight | Shape.unprintable)) !== 0) return unsupported
    parser.write(space)
    parser.swap(start, middle)
  }
  if (!parseParameters(parser)) return unsupported
  writeQualifiers(parser, qualifiers)
  if ((qualifiers & 8) !== 0) parser.write(lvalue)
  if ((qualifiers & 16) !== 0) parser.write(rvalue)
  return Shape.hasRight
}

const ofType: [letter: number, words: Uint8Array][] = [
  [0x56, word('vtable for ')],
  [0x54, word('VTT for ')],
  [0x49, word('typeinfo for ')],
  [0x53, word('typeinfo name for ')],
]

/** Writes the special names `TV`, `TT`, `TI` and `TS`. The others are rare and take the tree. */
function parseSpecialName(parser: FastParser): number {
  const found = parser.peek() === 0x54 ? ofType.find(([letter]) => letter === parser.peek(1)) : undefined
  if (!found) return unsupported
  parser.at += 2
  parser.write(found[1])
  return parser.type() === unsupported ? unsupported : Shape.plain
}
