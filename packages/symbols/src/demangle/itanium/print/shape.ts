import { limits } from '../../limits.ts'
import { inner, type Node } from '../node.ts'

/** The fields of the printer that select an element of a pack. */
export interface PackPlace {
  packIndex: number
  packCount: number
}

/**
 * Returns the node that a forward reference or a pack stands for here. The first pack of an expansion sets its length.
 */
export function targetOf(node: Node, place: PackPlace): Node | undefined {
  if (node.kind === 'forward') return node.target
  if (place.packCount < 0) {
    place.packCount = node.parts.length
    place.packIndex = 0
  }
  return inner(node, place.packIndex)
}

/** Returns the node below qualifiers, forward references and packs, which all have the shape of their content. */
function shapeOf(node: Node, place: PackPlace): Node | undefined {
  let current: Node | undefined = node
  for (let hops = 0; current && hops < limits.steps; hops++) {
    if (current.busy && current.kind === 'forward') return undefined
    if (current.kind === 'qualified') current = inner(current)
    else if (current.kind === 'forward' || current.kind === 'pack') current = targetOf(current, place)
    else return current
  }
  return undefined
}

export const hasArray = (node: Node, place: PackPlace): boolean => shapeOf(node, place)?.kind === 'array'

export function hasFunction(node: Node, place: PackPlace): boolean {
  const kind = shapeOf(node, place)?.kind
  return kind === 'function' || kind === 'encoding'
}

const hasRightKinds = new Set(['array', 'function', 'encoding', 'declaration', 'pack declaration'])

/** Whether a part of the type is printed right of the declared name. */
export function hasRight(node: Node, place: PackPlace): boolean {
  let shape = shapeOf(node, place)
  while (shape?.kind === 'pointer' || shape?.kind === 'reference' || shape?.kind === 'member pointer') {
    const content = inner(shape)
    shape = content && shapeOf(content, place)
  }
  return shape !== undefined && hasRightKinds.has(shape.kind)
}

/** Follows forward references and packs to the node that they stand for. */
export function syntaxOf(node: Node, place: PackPlace): Node {
  let current = node
  for (let hops = 0; hops < limits.steps; hops++) {
    if (current.kind !== 'forward' && current.kind !== 'pack') return current
    const target = current.busy ? undefined : targetOf(current, place)
    if (!target) return current
    current = target
  }
  return current
}
