import { branch, leaf, type Kind, type Node } from './node.ts'
import type { Parser } from './parser.ts'

const generic: Record<string, string> = {
  B: 'generic specialization',
  G: 'generic not re-abstracted specialization',
  g: 'generic specialization',
  i: 'inlined generic function',
  s: 'generic pre-specialization',
}
const partial: Record<string, string> = {
  P: 'generic not-reabstracted partial specialization',
  p: 'generic partial specialization',
}
const representationChanged = 'representation changed'

/**
 * Parses `Tg`, `Tp`, `Tf` and similar operators: a function specialized for types, or for known properties of its
 * arguments.
 */
export function parseSpecialization(parser: Parser, letter: string): Node | undefined {
  if (letter === 't') return parseWithDroppedArguments(parser)
  if (letter === 'f') return parseFunctionSpecialization(parser)
  const words = generic[letter]
  if (words !== undefined) return parseGenericSpecialization(parser, words)
  const partialWords = partial[letter]
  if (partialWords === undefined) return undefined
  const specialization = parseAttributes(parser, partialWords)
  const subject = branch('SpecializationParam', 'Signature = ', parser.pop('Type'))
  if (!specialization || !subject) return undefined
  specialization.children.push(subject)
  return specialization
}

function parseGenericSpecialization(parser: Parser, words: string): Node | undefined {
  const specialization = parseAttributes(parser, words)
  const types = parser.popTypes()
  if (!specialization || !types) return undefined
  for (const of of types)
    specialization.children.push({ kind: 'SpecializationParam', text: '', index: 0, children: [of] })
  return specialization
}

/** Parses `Ttt1g5`. The indices of the dropped arguments are not shown. */
function parseWithDroppedArguments(parser: Parser): Node | undefined {
  do parser.natural()
  while (parser.skip('t'))
  const letter = parser.next()
  const words = letter === 'g' || letter === 'G' || letter === 'B' ? generic[letter] : undefined
  return words === undefined ? undefined : parseGenericSpecialization(parser, words)
}

/**
 * Parses the attributes of a specialization: `q` (serialized), `a` (async removed), `r` (representation changed) and
 * the number of the optimizer pass. Swift 6.2 also writes `m`.
 */
function parseAttributes(parser: Parser, words: string): Node | undefined {
  parser.skip('m')
  const serialized = parser.skip('q') ? [leaf('Serialized')] : []
  // Swift's own demangler counts a removed async as an argument, which shifts the numbers of the others.
  const asyncRemoved = parser.skip('a') ? [leaf('SpecializationParam')] : []
  const isChanged = parser.skip('r')
  if (!/^\d$/.test(parser.next())) return undefined
  return branch('Specialization', isChanged ? representationChanged : words, ...serialized, ...asyncRemoved)
}

/**
 * Kinds of an argument's specialization, as numbers in its node: the first ten exclude each other, the others are
 * flags.
 */
export const signatureKinds = {
  constantFunction: 0,
  constantGlobal: 1,
  constantInteger: 2,
  constantFloat: 3,
  constantString: 4,
  closure: 5,
  boxToValue: 6,
  boxToStack: 7,
  inOutToOut: 8,
  constantKeyPath: 9,
  constantStruct: 10,
  closurePrevious: 11,
  dead: 1 << 6,
  ownedToGuaranteed: 1 << 7,
  exploded: 1 << 8,
  guaranteedToOwned: 1 << 9,
  existentialToGeneric: 1 << 10,
} as const

function parseFunctionSpecialization(parser: Parser): Node | undefined {
  const specialization = parseAttributes(parser, 'function signature specialization')
  if (!specialization || specialization.text === representationChanged) return specialization
  for (; !parser.skip('_');) {
    const parameter = parseSignatureParam(parser, 'SignatureParam')
    if (!parameter) return undefined
    specialization.children.push(parameter)
  }
  const parameters = specialization.children.filter((child) => child.kind === 'SignatureParam')
  if (!parser.skip('n')) {
    const result = parseSignatureParam(parser, 'SignatureReturn')
    if (!result) return undefined
    specialization.children.push(result)
  }
  // The names and types of the arguments precede them in the name, so those of the last argument lie on top of the
  // stack.
  for (const parameter of parameters.reverse()) if (!popPayloads(parser, parameter)) return undefined
  return specialization
}

function popPayloads(parser: Parser, parameter: Node): boolean {
  const payloads: (Node | undefined)[] = []
  for (const { kind, index } of parameter.children.toReversed()) {
    if (kind !== 'SignatureParamKind') continue
    switch (index) {
      case signatureKinds.closure:
        for (let node = parser.pop('Type'); node; node = parser.pop('Type')) payloads.push(node)
        break
      case signatureKinds.constantKeyPath:
        payloads.push(parser.pop('Type'), parser.pop('Type'))
        break
      case signatureKinds.constantStruct:
        payloads.push(parser.pop('Type'))
        continue
      case signatureKinds.constantFunction:
      case signatureKinds.constantGlobal:
      case signatureKinds.constantString:
        break
      default:
        continue
    }
    payloads.push(parser.pop('Identifier'))
  }
  const found = payloads.filter((node) => node !== undefined)
  parameter.children.push(...found.reverse())
  return found.length === payloads.length
}

const paramKind = (index: number): Node => leaf('SignatureParamKind', '', index)

const simpleKinds: Record<string, number> = {
  c: signatureKinds.closure,
  i: signatureKinds.boxToValue,
  r: signatureKinds.inOutToOut,
  s: signatureKinds.boxToStack,
  x: signatureKinds.exploded,
}
/** Flags by their first letter, with the letters of further flags that may follow in this order. */
const flagKinds: Record<string, [number, string]> = {
  d: [signatureKinds.dead, 'GOX'],
  e: [signatureKinds.existentialToGeneric, 'DGOX'],
  g: [signatureKinds.ownedToGuaranteed, 'X'],
  o: [signatureKinds.guaranteedToOwned, 'X'],
}
const moreFlags: Record<string, number> = {
  D: signatureKinds.dead,
  G: signatureKinds.ownedToGuaranteed,
  O: signatureKinds.guaranteedToOwned,
  X: signatureKinds.exploded,
}

function parseSignatureParam(parser: Parser, kind: Kind): Node | undefined {
  const letter = parser.next()
  if (letter === 'n') return branch(kind, '')
  const simple = simpleKinds[letter]
  if (simple !== undefined) return branch(kind, '', paramKind(simple))
  const flags = flagKinds[letter]
  if (flags) {
    let [index] = flags
    for (const more of flags[1]) if (parser.skip(more)) index |= moreFlags[more] ?? 0
    return branch(kind, '', paramKind(index))
  }
  if (letter === 'p') {
    const constants = parseConstants(parser)
    return constants && branch(kind, '', ...constants)
  }
  if (letter !== 'C') return undefined
  const previous = parser.natural()
  if (previous === undefined) return undefined
  return branch(kind, '', paramKind(signatureKinds.closurePrevious), leaf('SignatureParamPayload', `${previous}`))
}

const encodings: Record<string, string> = { b: 'u8', w: 'u16', c: 'objc' }

/** Parses the constants propagated into one argument. Their names and types come from the stack later. */
function parseConstants(parser: Parser): Node[] | undefined {
  for (const parts: Node[] = []; ;) {
    switch (parser.next()) {
      case 'S':
        parts.push(paramKind(signatureKinds.constantStruct))
        break
      case 'f':
        parts.push(paramKind(signatureKinds.constantFunction))
        break
      case 'g':
        parts.push(paramKind(signatureKinds.constantGlobal))
        break
      case 'k':
        parts.push(paramKind(signatureKinds.constantKeyPath))
        break
      case 'i':
      case 'd': {
        const isFloat = parser.text.charAt(parser.pos - 1) === 'd'
        const start = parser.pos
        for (; /^\d$/.test(parser.peek());) parser.next()
        if (parser.pos === start) return undefined
        parts.push(paramKind(isFloat ? signatureKinds.constantFloat : signatureKinds.constantInteger))
        parts.push(leaf('SignatureParamPayload', parser.text.slice(start, parser.pos)))
        break
      }
      case 's': {
        const encoding = encodings[parser.next()]
        if (encoding === undefined) return undefined
        parts.push(paramKind(signatureKinds.constantString), leaf('SignatureParamPayload', encoding))
        break
      }
      default:
        parser.back()
        return parts
    }
  }
}
