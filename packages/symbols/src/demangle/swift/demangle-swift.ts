import { limits } from '../limits.ts'
import { leaf, type Kind, type Node } from './node.ts'
import { parseOperator } from './operators.ts'
import { Parser } from './parser.ts'
import { print } from './print/print.ts'
import type { Form } from './print/printer.ts'

/**
 * The prefixes of Swift names: `$s` since Swift 5, `$S` in 4.2, `_T0` in 4.0, `$e` in Embedded Swift, each with the
 * underscores that Mach-O and the linker add; buffers of macro expansions have their own.
 */
const prefix = /^(?:_{0,2}\$[sSe]|_{1,2}T0|@__swiftmacro_)/

const attributes = new Set<Kind>(['Attribute', 'ThunkAttribute', 'Specialization', 'PartialApply', 'AsyncResume'])
const isAttribute = (kind: Kind): boolean => attributes.has(kind)

/** Demangles a Swift name; undefined if it is not a Swift name or is malformed. */
export function demangleSwift(name: string, form: Form = 'full'): string | undefined {
  return demangleWithin(name, form, { names: limits.nestedNames }, 0)
}

/**
 * Demangles a name and the names inside of it: the name of a specialized function contains names of the functions that
 * it was specialized for. All of them share the budget `left`.
 */
function demangleWithin(name: string, form: Form, left: { names: number }, depth: number): string | undefined {
  const found = prefix.exec(name)
  if (!found || name.length > limits.nameLength) return undefined
  const parser = new Parser(name, found[0].length, found[0].endsWith('T0'))
  const root = parse(parser)
  if (!root) return undefined
  return print(root, form, (nested) => {
    const isAllowed = depth < limits.nestedDepth && left.names-- > 0
    return isAllowed ? demangleWithin(nested, 'full', left, depth + 1) : undefined
  })
}

function parse(parser: Parser): Node | undefined {
  while (!parser.done) {
    const node = parseOperator(parser)
    if (!node || !parser.push(node)) return undefined
  }
  const root = leaf('Global')
  const suffix = parser.pop('Suffix')
  // Attributes follow the function in the mangled name and precede it in the text. A partial application contains the
  // attributes and the function after it.
  let parent = root
  for (let node = parser.popIf(isAttribute); node; node = parser.popIf(isAttribute)) {
    parent.children.push(node)
    if (node.kind === 'PartialApply') parent = node
  }
  for (const node of parser.stack) parent.children.push(node)
  if (suffix) root.children.push(suffix)
  return root.children.length > 0 ? root : undefined
}
