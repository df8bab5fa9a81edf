import { parseModule } from './unqualified-names.ts'
import { list, node, parens, sequence, type Node, type Part } from './node.ts'
import type { NameState, Parser } from './parser.ts'
import { parseTemplateArg } from './template-args.ts'

/**
 * Parses `<encoding>`: a function with its parameters, an object, or a special name. `isShort` skips the function's
 * types.
 */
export function parseEncoding(parser: Parser, isShort: boolean): Node | undefined {
  if (parser.peek() === 'G' || parser.peek() === 'T') return parseSpecialName(parser)
  const state: NameState = {
    isUntyped: false,
    endsWithTemplateArgs: false,
    qualifiers: '',
    refQualifier: '',
    hasExplicitObject: false,
  }
  const outer = parser.forwards
  parser.forwards = []
  const name = parser.name(state)
  const isResolved = resolveForwards(parser)
  parser.forwards = outer
  if (!name || !isResolved) return undefined
  if (isEnd(parser)) return name
  if (!isShort) return parseFunction(parser, name, state)
  parser.pos = parser.text.length
  return name
}

/** Whether the encoding ends here: no type begins with one of these characters. */
const isEnd = (parser: Parser): boolean => parser.done || 'E._'.includes(parser.peek())

/**
 * Binds the forward references of a name to the template arguments, which are all parsed now. Returns false if one of
 * them does not exist.
 */
function resolveForwards(parser: Parser): boolean {
  for (const forward of parser.forwards) {
    forward.target = parser.levels[0]?.[forward.index]
    if (!forward.target) return false
  }
  return true
}

function parseFunction(parser: Parser, name: Node, state: NameState): Node | undefined {
  const after: Part[] = [state.qualifiers + state.refQualifier]
  if (parser.skip('Ua9enable_ifI')) {
    const conditions = parser.until('E', () => parseTemplateArg(parser))
    if (!conditions) return undefined
    after.push(' [enable_if:', list(conditions), ']')
  }
  const hasResult = !state.isUntyped && state.endsWithTemplateArgs
  const result = hasResult ? parser.type() : undefined
  const parameters = hasResult && !result ? undefined : parseParameters(parser, state)
  if (!parameters) return undefined
  if (parser.skip('Q')) {
    const constraint = parser.constraint()
    if (!constraint) return undefined
    after.push(' requires ', constraint)
  }
  const parts = [name, parens(list(parameters)), sequence(...after)]
  return node('encoding', '', result ? [...parts, result] : parts)
}

function parseParameters(parser: Parser, state: NameState): Node[] | undefined {
  const parameters: Node[] = []
  if (parser.skip('v')) return parameters
  do {
    const parameter = parser.type()
    if (!parameter) return undefined
    const isObject = state.hasExplicitObject && parameters.length === 0
    parameters.push(isObject ? sequence('this ', parameter) : parameter)
  } while (!isEnd(parser) && parser.peek() !== 'Q')
  return parameters
}

const ofType: Record<string, string> = {
  TV: 'vtable for ',
  TT: 'VTT for ',
  TI: 'typeinfo for ',
  TS: 'typeinfo name for ',
}
const ofName: Record<string, string> = {
  TW: 'thread-local wrapper routine for ',
  TH: 'thread-local initialization routine for ',
  GV: 'guard variable for ',
}

/**
 * Parses `<special-name>`, which starts with `T` or `G`: virtual tables, type information, thunks, guard variables,
 * temporaries.
 */
function parseSpecialName(parser: Parser): Node | undefined {
  const letters = parser.text.slice(parser.pos, parser.pos + 2)
  const isThunk = /^T(?![ACHISTVWc])/.test(letters)
  parser.pos += isThunk ? 1 : 2
  const typeWords = ofType[letters]
  if (typeWords !== undefined) return after(typeWords, parser.type())
  const nameWords = ofName[letters]
  if (nameWords !== undefined) return after(nameWords, parser.name())
  switch (letters) {
    case 'TA':
      return after('template parameter object for ', parseTemplateArg(parser))
    case 'TC':
      return parseConstructionVtable(parser)
    case 'Tc':
      return skipOffset(parser) && skipOffset(parser)
        ? after('covariant return thunk to ', parser.encoding())
        : undefined
    case 'GR': {
      const name = parser.name()
      const id = name && parser.sequenceId()
      return name && (parser.skip('_') || id === undefined) ? after('reference temporary for ', name) : undefined
    }
    case 'GI':
      return after('initializer for module ', parseModule(parser)?.module)
    default:
      break
  }
  if (!isThunk) return undefined
  const words = parser.peek() === 'v' ? 'virtual thunk to ' : 'non-virtual thunk to '
  return skipOffset(parser) ? after(words, parser.encoding()) : undefined
}

const after = (words: string, subject: Node | undefined): Node | undefined => subject && sequence(words, subject)

function parseConstructionVtable(parser: Parser): Node | undefined {
  const whole = parser.type()
  if (!whole || parser.number(true) === '' || !parser.skip('_')) return undefined
  const part = parser.type()
  return part && sequence('construction vtable for ', part, '-in-', whole)
}

/** Skips `<call-offset>`, by which a thunk adjusts `this`: `h` with one offset, `v` with two. */
function skipOffset(parser: Parser): boolean {
  const isVirtual = parser.skip('v')
  if (!isVirtual && !parser.skip('h')) return false
  const hasFirst = parser.number(true) !== '' && parser.skip('_')
  return hasFirst && (!isVirtual || (parser.number(true) !== '' && parser.skip('_')))
}
