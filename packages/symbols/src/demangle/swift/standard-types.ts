import { branch, leaf, type, type Kind, type Node } from './node.ts'
import type { Parser } from './parser.ts'

const maxRepeat = 2048

/** Types of the standard library by the letter after `S`. */
const standard: Record<string, [Kind, string]> = {
  A: ['Structure', 'AutoreleasingUnsafeMutablePointer'],
  a: ['Structure', 'Array'],
  B: ['Protocol', 'BinaryFloatingPoint'],
  b: ['Structure', 'Bool'],
  D: ['Structure', 'Dictionary'],
  d: ['Structure', 'Double'],
  E: ['Protocol', 'Encodable'],
  e: ['Protocol', 'Decodable'],
  F: ['Protocol', 'FloatingPoint'],
  f: ['Structure', 'Float'],
  G: ['Protocol', 'RandomNumberGenerator'],
  H: ['Protocol', 'Hashable'],
  h: ['Structure', 'Set'],
  I: ['Structure', 'DefaultIndices'],
  i: ['Structure', 'Int'],
  J: ['Structure', 'Character'],
  j: ['Protocol', 'Numeric'],
  K: ['Protocol', 'BidirectionalCollection'],
  k: ['Protocol', 'RandomAccessCollection'],
  L: ['Protocol', 'Comparable'],
  l: ['Protocol', 'Collection'],
  M: ['Protocol', 'MutableCollection'],
  m: ['Protocol', 'RangeReplaceableCollection'],
  N: ['Structure', 'ClosedRange'],
  n: ['Structure', 'Range'],
  O: ['Structure', 'ObjectIdentifier'],
  P: ['Structure', 'UnsafePointer'],
  p: ['Structure', 'UnsafeMutablePointer'],
  Q: ['Protocol', 'Equatable'],
  q: ['Enum', 'Optional'],
  R: ['Structure', 'UnsafeBufferPointer'],
  r: ['Structure', 'UnsafeMutableBufferPointer'],
  S: ['Structure', 'String'],
  s: ['Structure', 'Substring'],
  T: ['Protocol', 'Sequence'],
  t: ['Protocol', 'IteratorProtocol'],
  U: ['Protocol', 'UnsignedInteger'],
  u: ['Structure', 'UInt'],
  V: ['Structure', 'UnsafeRawPointer'],
  v: ['Structure', 'UnsafeMutableRawPointer'],
  W: ['Structure', 'UnsafeRawBufferPointer'],
  w: ['Structure', 'UnsafeMutableRawBufferPointer'],
  X: ['Protocol', 'RangeExpression'],
  x: ['Protocol', 'Strideable'],
  Y: ['Protocol', 'RawRepresentable'],
  y: ['Protocol', 'StringProtocol'],
  Z: ['Protocol', 'SignedInteger'],
  z: ['Protocol', 'BinaryInteger'],
}

/** Types of the concurrency library by the letter after `Sc`. */
const concurrency: Record<string, [Kind, string]> = {
  A: ['Protocol', 'Actor'],
  C: ['Structure', 'CheckedContinuation'],
  c: ['Structure', 'UnsafeContinuation'],
  E: ['Structure', 'CancellationError'],
  e: ['Structure', 'UnownedSerialExecutor'],
  F: ['Protocol', 'Executor'],
  f: ['Protocol', 'SerialExecutor'],
  G: ['Structure', 'TaskGroup'],
  g: ['Structure', 'ThrowingTaskGroup'],
  h: ['Protocol', 'TaskExecutor'],
  I: ['Protocol', 'AsyncIteratorProtocol'],
  i: ['Protocol', 'AsyncSequence'],
  J: ['Structure', 'UnownedJob'],
  M: ['Class', 'MainActor'],
  P: ['Structure', 'TaskPriority'],
  S: ['Structure', 'AsyncStream'],
  s: ['Structure', 'AsyncThrowingStream'],
  T: ['Structure', 'Task'],
  t: ['Structure', 'UnsafeCurrentTask'],
}

const swiftType = (kind: Kind, name: string): Node | undefined =>
  type(branch(kind, '', leaf('Module', 'Swift'), leaf('Identifier', name)))

/**
 * Parses `So` and `SC` (modules of imported C), `Sg` (Optional of the type on top of the stack) and types of the
 * standard library.
 */
export function parseStandardSubstitution(parser: Parser): Node | undefined {
  if (parser.skip('o')) return leaf('Module', '__C')
  if (parser.skip('C')) return leaf('Module', '__C_Synthesized')
  if (parser.skip('g')) {
    const list = branch('TypeList', '', parser.pop('Type'))
    return parser.remember(type(branch('BoundGenericEnum', '', swiftType('Enum', 'Optional'), list)))
  }
  const repeat = parser.natural() ?? 1
  const table = parser.skip('c') ? concurrency : standard
  const entry = table[parser.next()]
  const node = entry && swiftType(...entry)
  return node && repeatNode(parser, node, repeat)
}

/**
 * Parses `A` and letters, which are substitutions by position. A number before a letter repeats the substitution, and
 * an upper-case letter ends the list.
 */
export function parseSubstitutions(parser: Parser): Node | undefined {
  for (let repeat: number | undefined; ;) {
    const char = parser.next()
    if (char >= 'a' && char <= 'z') {
      const node = substitution(parser, char.charCodeAt(0) - 97)
      if (!node || !repeatNode(parser, node, repeat ?? 1) || !parser.push(node)) return undefined
      repeat = undefined
    } else if (char >= 'A' && char <= 'Z') {
      const node = substitution(parser, char.charCodeAt(0) - 65)
      return node && repeatNode(parser, node, repeat ?? 1)
    } else if (char === '_') {
      return substitution(parser, (repeat ?? -1) + 27)
    } else {
      parser.back()
      repeat = parser.natural()
      if (repeat === undefined) return undefined
    }
  }
}

const substitution = ({ substitutions }: Parser, index: number): Node | undefined => substitutions[index]

/** Pushes `times - 1` copies and returns the last one. */
function repeatNode(parser: Parser, node: Node, times: number): Node | undefined {
  if (times > maxRepeat) return undefined
  return times <= 1 || parser.push(node, times - 1) ? node : undefined
}
