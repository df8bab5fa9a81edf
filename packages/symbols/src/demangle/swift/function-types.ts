import { branch, childOf, leaf, type, type Kind, type Node } from './node.ts'
import type { Parser } from './parser.ts'

/** Function types that differ in more than their parameters. The word is the `text` of the node. */
export type FunctionShape =
  | 'plain'
  | 'noescape'
  | 'uncurried'
  | 'autoclosure'
  | 'thin'
  | 'c'
  | 'block'
  | 'escaping block'

const isThrows = (kind: Kind): boolean => kind === 'ThrowsAnnotation'

/**
 * Takes a function type from the stack. Its parts come in reverse order: sending result, isolation, differentiability,
 * throws, sendable, async, then parameters and result.
 */
export function popFunctionType(parser: Parser, shape: FunctionShape, hasClangType = false): Node | undefined {
  const clangType = hasClangType ? parseClangType(parser) : undefined
  const attributes = [
    clangType,
    parser.pop('SendingResult'),
    parser.pop('FunctionIsolation'),
    parser.pop('DifferentiableFunctionType'),
    parser.popIf(isThrows),
    parser.pop('ConcurrentFunctionType'),
    parser.pop('AsyncAnnotation'),
  ]
  const parameters = popFunctionPart(parser, 'ArgumentTuple')
  const result = popFunctionPart(parser, 'ReturnType')
  return type(branch('FunctionType', shape, ...attributes.filter((node) => node !== undefined), parameters, result))
}

function popFunctionPart(parser: Parser, kind: Kind): Node | undefined {
  return branch(kind, '', parser.pop('EmptyList') ? type(leaf('Tuple')) : parser.pop('Type'))
}

/** Parses a C type, which is mangled by the Itanium ABI and shown as it is. */
export function parseClangType(parser: Parser): Node | undefined {
  const length = parser.natural()
  if (!length || parser.pos + length > parser.text.length) return undefined
  const text = parser.text.slice(parser.pos, parser.pos + length)
  parser.pos += length
  return leaf('ClangType', text)
}

/**
 * Returns the argument labels of the function type `of`: from the stack, or in `_T0` names from its parameter tuple.
 */
export function popLabels(parser: Parser, of: Node | undefined): Node | undefined {
  if (!parser.oldLabels && parser.pop('EmptyList')) return leaf('LabelList')
  let functionType = of?.children[0]
  if (functionType?.kind === 'DependentGenericType') functionType = functionType.children[1]?.children[0]
  if (functionType?.kind !== 'FunctionType') return undefined
  if (functionType.text !== 'plain' && functionType.text !== 'noescape') return undefined
  const parameters = childOf(functionType, 'ArgumentTuple')?.children[0]?.children[0]
  if (!parameters) return undefined
  const count = parameters.kind === 'Tuple' ? parameters.children.length : 1
  if (count === 0) return undefined
  return parser.oldLabels ? takeTupleLabels(parameters) : popLabelList(parser, count)
}

function popLabelList(parser: Parser, count: number): Node | undefined {
  const labels: Node[] = []
  for (let i = 0; i < count; i++) {
    const label = parser.pop('Identifier') ?? parser.pop('FirstElementMarker')
    if (!label) return undefined
    labels.push(label)
  }
  return toLabelList(labels.reverse())
}

/** Moves the element names of a `_T0` parameter tuple into a list, so that both manglings print the same. */
function takeTupleLabels(parameters: Node): Node {
  if (parameters.kind !== 'Tuple') return leaf('LabelList')
  const labels = parameters.children.map((element) => {
    const at = element.children.findIndex((child) => child.kind === 'TupleElementName')
    const [name] = at < 0 ? [] : element.children.splice(at, 1)
    return name ? leaf('Identifier', name.text) : leaf('FirstElementMarker')
  })
  return toLabelList(labels)
}

/** Creates a list of labels, which is empty if no parameter has a label. */
function toLabelList(labels: Node[]): Node {
  const children = labels.some((label) => label.kind === 'Identifier') ? labels : []
  return { kind: 'LabelList', text: '', index: 0, children }
}
