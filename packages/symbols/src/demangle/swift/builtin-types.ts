import { leaf, phrase, type, type Node } from './node.ts'
import type { Parser } from './parser.ts'

const builtinNames: Record<string, string> = {
  A: 'ImplicitActor',
  B: 'UnsafeValueBuffer',
  b: 'BridgeObject',
  c: 'RawUnsafeContinuation',
  D: 'DefaultActorStorage',
  d: 'NonDefaultDistributedActorStorage',
  e: 'Executor',
  I: 'IntLiteral',
  j: 'Job',
  O: 'UnknownObject',
  o: 'NativeObject',
  P: 'PackIndex',
  p: 'RawPointer',
  T: 'TheTupleType',
  t: 'SILToken',
  w: 'Word',
}
const maxBuiltinSize = 4096
const builtinPrefix = 'Builtin.'

/** Parses a type of the `Builtin` module, `B` and a letter. */
export function parseBuiltinType(parser: Parser): Node | undefined {
  const letter = parser.next()
  switch (letter) {
    case 'f':
      return sizedBuiltin(parser, 'FPIEEE')
    case 'i':
      return sizedBuiltin(parser, 'Int')
    case 'v': {
      const count = builtinSize(parser)
      const element = parser.popBareType()
      if (count === undefined || element?.kind !== 'BuiltinType') return undefined
      return type(leaf('BuiltinType', `${builtinPrefix}Vec${count}x${element.text.slice(builtinPrefix.length)}`))
    }
    case 'V': {
      const element = parser.pop('Type')
      return type(phrase('Builtin.FixedArray<{0}, {1}>', parser.pop('Type'), element))
    }
    default: {
      const name = builtinNames[letter]
      return name === undefined ? undefined : type(leaf('BuiltinType', builtinPrefix + name))
    }
  }
}

function sizedBuiltin(parser: Parser, name: string): Node | undefined {
  const size = builtinSize(parser)
  return size === undefined ? undefined : type(leaf('BuiltinType', `${builtinPrefix}${name}${size}`))
}

function builtinSize(parser: Parser): number | undefined {
  const size = (parser.index() ?? 0) - 1
  return size > 0 && size <= maxBuiltinSize ? size : undefined
}
