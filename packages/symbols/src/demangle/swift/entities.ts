import { popFunctionType, popLabels } from './function-types.ts'
import { branch, isDeclName, leaf, type, type Kind, type Node } from './node.ts'
import type { Parser } from './parser.ts'

const present = (nodes: (Node | undefined)[]): Node[] => nodes.filter((node) => node !== undefined)

/**
 * Parses `F`, a function: context, name, labels and type. It is generic if a generic signature lies on top of the
 * stack.
 */
export function parseFunction(parser: Parser): Node | undefined {
  const signature = parser.pop('DependentGenericSignature')
  let functionType = popFunctionType(parser, 'plain')
  const labels = popLabels(parser, functionType)
  if (signature) functionType = type(branch('DependentGenericType', '', signature, functionType))
  const name = parser.popIf(isDeclName)
  return branch('Function', '', parser.popContext(), name, ...present([labels]), functionType)
}

function parseEntity(parser: Parser, kind: Kind): Node | undefined {
  const entityType = parser.pop('Type')
  const labels = popLabels(parser, entityType)
  const name = parser.popIf(isDeclName)
  return branch(kind, '', parser.popContext(), name, ...present([labels]), entityType)
}

export function parseVariable(parser: Parser): Node | undefined {
  return parseAccessor(parser, parseEntity(parser, 'Variable'))
}

export function parseSubscript(parser: Parser): Node | undefined {
  const privateName = parser.pop('PrivateDeclName')
  const subscriptType = parser.pop('Type')
  const labels = popLabels(parser, subscriptType)
  const context = parser.popContext()
  const parts = [context, ...present([labels]), subscriptType, ...present([privateName])]
  return parseAccessor(parser, branch('Subscript', '', ...parts))
}

const accessors: Record<string, string> = {
  aO: 'owningMutableAddressor',
  ao: 'nativeOwningMutableAddressor',
  aP: 'nativePinningMutableAddressor',
  au: 'unsafeMutableAddressor',
  lO: 'owningAddressor',
  lo: 'nativeOwningAddressor',
  lp: 'nativePinningAddressor',
  lu: 'unsafeAddressor',
  b: 'borrow',
  G: 'getter',
  g: 'getter',
  i: 'init',
  M: 'modify',
  m: 'materializeForSet',
  r: 'read',
  s: 'setter',
  W: 'didset',
  w: 'willset',
  x: 'modify2',
  y: 'read2',
  z: 'mutate',
}

/** Parses an accessor of `storage`; `p` stands for the storage itself. */
function parseAccessor(parser: Parser, storage: Node | undefined): Node | undefined {
  const letter = parser.next()
  if (letter === 'p') return storage
  const name = accessors[letter === 'a' || letter === 'l' ? letter + parser.next() : letter]
  return name === undefined ? undefined : branch('Accessor', name, storage)
}

const initializers: Record<string, string> = {
  i: 'variable initialization expression',
  P: 'property wrapper backing initializer',
  F: 'property wrapped field init accessor',
  W: 'property wrapper init from projected value',
}
const destructors: Record<string, string> = { d: 'deinit', E: '__ivar_destroyer', e: '__ivar_initializer' }
const deallocators: Record<string, string> = { D: '__deallocating_deinit', Z: '__isolated_deallocating_deinit' }

/** Parses `f` and a letter: initializers, closures, default arguments and macros. */
export function parseFunctionEntity(parser: Parser): Node | undefined {
  const letter = parser.next()
  switch (letter) {
    case 'D':
    case 'Z':
      return branch('Deallocator', deallocators[letter] ?? '', parser.popContext())
    case 'd':
    case 'E':
    case 'e':
      return branch('Destructor', destructors[letter] ?? '', parser.popContext())
    case 'i':
    case 'P':
    case 'F':
    case 'W':
      return branch('Initializer', initializers[letter] ?? '', parser.popContext())
    case 'C':
      return parseInit(parser, 'Allocator')
    case 'c':
      return parseInit(parser, 'Constructor')
    case 'U':
      return parseClosure(parser, 'ExplicitClosure')
    case 'u':
      return parseClosure(parser, 'ImplicitClosure')
    case 'A': {
      const index = parser.indexNode()
      return branch('DefaultArgument', '', parser.popContext(), index)
    }
    case 'm':
      return parseEntity(parser, 'Macro')
    case 'M':
      return parseMacroExpansion(parser)
    case 'p':
      return parseEntity(parser, 'GenericTypeParamDecl')
    default:
      return undefined
  }
}

function parseInit(parser: Parser, kind: Kind): Node | undefined {
  const privateName = parser.pop('PrivateDeclName')
  const initType = parser.pop('Type')
  const labels = popLabels(parser, initType)
  return branch(kind, '', parser.popContext(), ...present([labels]), initType, ...present([privateName]))
}

function parseClosure(parser: Parser, kind: Kind): Node | undefined {
  const index = parser.indexNode()
  const closureType = parser.pop('Type')
  return branch(kind, '', parser.popContext(), index, closureType)
}

const attachedMacros: Record<string, string> = {
  a: 'accessor',
  b: 'body',
  c: 'conformance',
  e: 'extension',
  m: 'member',
  p: 'peer',
  q: 'preamble',
  r: 'member attribute',
}

const isMacroExpansion = (kind: Kind): boolean => kind === 'MacroExpansion' || kind === 'MacroExpansionLocation'

/**
 * Parses a macro expansion. Its node holds the context, the name (its own, or that of the declaration to which it is
 * attached), for an attached macro the macro's name, and a number.
 */
function parseMacroExpansion(parser: Parser): Node | undefined {
  const letter = parser.next()
  if (letter === 'X') return parseMacroLocation(parser)
  const attached = attachedMacros[letter]
  if (attached === undefined && letter !== 'f' && letter !== 'u') return undefined
  const macro = parser.pop('Identifier')
  const discriminator = letter === 'f' ? parser.pop('PrivateDeclName') : undefined
  const target = attached === undefined ? undefined : parser.popIf(isDeclName)
  const context = parser.popIf(isMacroExpansion) ?? parser.popContext()
  const index = parser.indexNode()
  if (attached !== undefined) {
    const words = `${attached} macro @${macro?.text ?? ''} expansion #`
    return branch('MacroExpansion', words, context, target ?? macro, index)
  }
  const words = letter === 'f' ? 'freestanding macro expansion #' : 'unique name #'
  return branch('MacroExpansion', words, context, macro, index, ...present([discriminator]))
}

function parseMacroLocation(parser: Parser): Node | undefined {
  const line = parser.index()
  const column = parser.index()
  const file = parser.pop('Identifier')
  const module = parser.pop('Identifier')
  if (line === undefined || column === undefined) return undefined
  return branch('MacroExpansionLocation', '', module, file, leaf('Index', '', line), leaf('Index', '', column))
}
