import { parseAutoDiff } from './autodiff.ts'
import { popConformance, popProtocol } from './conformances.ts'
import { parseKeyPathIndexThunk, parseKeyPathThunk } from './key-path-thunks.ts'
import { associatedNamePhrase, popAssociatedPath } from './generics.ts'
import { branch, isEntity, leaf, phrase, type Node } from './node.ts'
import type { Parser } from './parser.ts'
import { parseSpecialization } from './specializations.ts'

/** Attributes before a function by the letter after `T`. */
const attributes: Record<string, string> = {
  D: 'dynamic ',
  d: 'super ',
  O: '@nonobjc ',
  o: '@objc ',
  u: 'async function pointer to ',
}
/** Attributes by the letter after `T` that the short form leaves out. */
const thunkAttributes: Record<string, string> = {
  E: 'distributed thunk ',
  F: 'distributed accessor for ',
  I: 'dynamically replaceable thunk for ',
  m: 'merged ',
  X: 'dynamically replaceable variable for ',
  x: 'dynamically replaceable key for ',
}
const ofEntity: Record<string, string> = {
  c: 'curry thunk of ',
  j: 'dispatch thunk of ',
  q: 'method descriptor for ',
  S: 'protocol self-conformance witness for ',
}

/**
 * Parses `T` and a letter: thunks, witnesses, specializations and other functions that are generated from a function.
 */
export function parseThunk(parser: Parser): Node | undefined {
  const letter = parser.next()
  const attribute = attributes[letter]
  if (attribute !== undefined) return leaf('Attribute', attribute)
  const thunkAttribute = thunkAttributes[letter]
  if (thunkAttribute !== undefined) return leaf('ThunkAttribute', thunkAttribute)
  const words = ofEntity[letter]
  if (words !== undefined) return phrase(words, parser.popIf(isEntity))
  return parseFunctionThunk(parser, letter) ?? parseDescriptor(parser, letter) ?? parseSpecialization(parser, letter)
}

function parseFunctionThunk(parser: Parser, letter: string): Node | undefined {
  switch (letter) {
    case 'T':
      return parser.skip('I') ? phrase('identity thunk of ', parser.popIf(isEntity)) : undefined
    case 'A':
      return leaf('PartialApply', 'partial apply forwarder')
    case 'a':
      return leaf('PartialApply', 'partial apply ObjC forwarder')
    case 'Q':
      return branch('AsyncResume', ' await resume partial function for ', parser.indexNode())
    case 'Y':
      return branch('AsyncResume', ' suspend resume partial function for ', parser.indexNode())
    case 'C':
      return phrase('coroutine continuation prototype for ', parser.pop('Type'))
    case 'Z':
    case 'z':
      return parseCompletionHandler(parser, letter === 'Z')
    case 'V': {
      const base = parser.popIf(isEntity)
      return phrase('vtable thunk for {1} dispatching to {0}', parser.popIf(isEntity), base)
    }
    case 'W': {
      const entity = parser.popIf(isEntity)
      return phrase('protocol witness for {1} in conformance {0}', popConformance(parser), entity)
    }
    case 'R':
    case 'r':
    case 'y':
      return parseReabstractionThunk(parser, letter)
    case 'U': {
      const actor = parser.pop('Type')
      return phrase('{0} with global actor constraint {1}', parser.pop(), actor)
    }
    case 'K':
    case 'k':
      return parseKeyPathThunk(parser, letter)
    case 'H':
    case 'h':
      return parseKeyPathIndexThunk(parser, letter)
    case 'v': {
      const index = parser.index()
      if (index === undefined) return undefined
      return leaf('Attribute', `outlined ${parser.skip('r') ? 'read-only object' : 'variable'} #${index} of `)
    }
    case 'e':
      return parseBridgedMethod(parser)
    case 'J':
      return parseAutoDiff(parser)
    case 'w':
      return parseRareAttribute(parser)
    default:
      return undefined
  }
}

function parseDescriptor(parser: Parser, letter: string): Node | undefined {
  switch (letter) {
    case 'l':
      return associatedNamePhrase(parser, 'associated type descriptor for ')
    case 'L':
      return phrase('protocol requirements base descriptor for ', popProtocol(parser))
    case 'M':
      return associatedNamePhrase(parser, 'default associated type metadata accessor for ')
    case 'n':
    case 'N': {
      const requirement = popProtocol(parser)
      const path = popAssociatedPath(parser)
      const what = letter === 'n' ? 'associated conformance descriptor' : 'default associated conformance accessor'
      return phrase(`${what} for {0}.{1}: {2}`, parser.pop('Type'), path, requirement)
    }
    case 'b': {
      const requirement = popProtocol(parser)
      return phrase('base conformance descriptor for {0}: {1}', parser.pop('Type'), requirement)
    }
    default:
      return undefined
  }
}

function parseCompletionHandler(parser: Parser, isChecked: boolean): Node | undefined {
  const flag = parser.indexNode()
  const signature = parser.pop('DependentGenericSignature')
  const result = parser.pop('Type')
  const parts = [parser.pop('Type'), result, flag, ...[signature].filter((node) => node !== undefined)]
  return branch('ObjCCompletionHandler', isChecked ? 'checked ' : '', ...parts)
}

/**
 * Parses a reabstraction thunk. Children: the generic signature if it has one, for `y` the self type, then the target
 * and source type.
 */
function parseReabstractionThunk(parser: Parser, letter: string): Node | undefined {
  const signature = parser.pop('DependentGenericSignature')
  const self = letter === 'y' ? [parser.pop('Type')] : []
  const to = parser.pop('Type')
  const from = parser.pop('Type')
  const words = { R: 'helper ', r: '', y: 'self ' }[letter] ?? ''
  return branch('ReabstractionThunk', words, ...[signature].filter((node) => node !== undefined), ...self, to, from)
}

/**
 * Parses `oag_`, an outlined bridged Objective-C method: its kind (a, m, o, p) and how its parameters are bridged (n,
 * b, g).
 */
function parseBridgedMethod(parser: Parser): Node | undefined {
  const end = parser.text.indexOf('_', parser.pos)
  const parameters = parser.text.slice(parser.pos, end)
  if (end < 0 || !/^[amop][bgn]*$/.test(parameters)) return undefined
  parser.pos = end + 1
  return leaf('Attribute', `outlined bridged method (${parameters}) of `)
}

function parseRareAttribute(parser: Parser): Node | undefined {
  switch (parser.next()) {
    case 'b':
      return leaf('ThunkAttribute', 'back deployment thunk for ')
    case 'B':
      return leaf('Attribute', 'back deployment fallback for ')
    case 'c':
      return leaf('Attribute', 'coro function pointer to ')
    case 'd':
      return leaf('Attribute', 'default override of ')
    case 'S':
      return leaf('Attribute', '#_hasSymbol query for ')
    default:
      return undefined
  }
}
