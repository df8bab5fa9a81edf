import { childOf, type Node } from '../node.ts'
import { needsSpace, printFunctionType } from './functions.ts'
import type { Print, Printer } from './printer.ts'

interface Style {
  /** How the type is shown: not at all, after a colon, or as the parameters and result of a function. */
  type: 'none' | 'colon' | 'function'
  /** Whether the second child is the entity's name. */
  named?: boolean
  /** The name of an entity that has a fixed one, such as `subscript`. */
  fixedName?: string
  /** The text that follows the name, such as `.getter`. Text of several words precedes the name instead. */
  extra?: string
  /** Generic arguments that replace the signature. */
  args?: Node
}

const functionShapes = new Set(['plain', 'noescape', 'uncurried', 'c', 'thin'])

/**
 * Prints `context.name.extra type`, or `extra of name type in context` if `extra` consists of several words or the
 * entity is local.
 */
function printEntity(printer: Printer, entity: Node, asContext: boolean, style: Style): Node | undefined {
  const isWordy = (style.extra ?? '').includes(' ') || isLocal(entity, style)
  if (asContext && (style.type !== 'none' || isWordy)) return entity
  const [context] = entity.children
  let left = isWordy ? context : undefined
  if (context && !isWordy) {
    const start = printer.text.length
    left = printer.print(context, true)
    if (printer.text.length !== start) printer.write('.')
  }
  printName(printer, entity, style, isWordy)
  printType(printer, entity, style, isWordy)
  if (asContext || !left) return left
  const isInitializer = entity.kind === 'DefaultArgument' || entity.kind === 'Initializer'
  printer.write(isInitializer ? ' of ' : ' in ')
  printer.print(left)
  return undefined
}

const isLocal = (entity: Node, style: Style): boolean =>
  style.named === true && entity.children[1]?.kind === 'LocalDeclName'

function printName(printer: Printer, entity: Node, style: Style, isWordy: boolean): void {
  let extra = style.extra ?? ''
  if (style.named || style.fixedName !== undefined) {
    if (extra !== '' && isWordy) {
      printer.write(`${extra} of `)
      extra = ''
    }
    const start = printer.text.length
    if (style.fixedName === undefined) {
      const name = entity.children[1]
      if (name?.kind !== 'PrivateDeclName') printer.print(name)
      printer.print(childOf(entity, 'PrivateDeclName'))
    } else {
      printer.write(style.fixedName)
    }
    if (printer.text.length !== start && extra !== '') printer.write('.')
  }
  printer.write(extra)
}

function printType(printer: Printer, entity: Node, style: Style, isWordy: boolean): void {
  if (style.type === 'none') return
  const entityType = childOf(entity, 'Type')?.children[0]
  if (!entityType) {
    printer.failed = true
  } else if (style.type === 'colon' || !isFunction(entityType)) {
    if (!printer.full) return
    printer.write(' : ')
    printEntityType(printer, entity, entityType, style.args)
  } else {
    if (isWordy || needsSpace(entityType)) printer.write(' ')
    printEntityType(printer, entity, entityType, style.args)
  }
}

function isFunction(entityType: Node): boolean {
  let inner: Node | undefined = entityType
  while (inner?.kind === 'DependentGenericType') inner = inner.children[1]?.children[0]
  return inner?.kind === 'FunctionType' && functionShapes.has(inner.text)
}

function printEntityType(printer: Printer, entity: Node, entityType: Node, args: Node | undefined): void {
  const labels = childOf(entity, 'LabelList')
  if (!labels && !args) {
    printer.print(entityType)
    return
  }
  if (args) {
    printer.write('<')
    printer.printAll(args.children, ', ')
    printer.write('>')
  }
  let inner: Node | undefined = entityType
  if (inner.kind === 'DependentGenericType') {
    const [signature, dependent]: (Node | undefined)[] = inner.children
    if (!args) printer.print(signature)
    if (dependent && needsSpace(dependent)) printer.write(' ')
    inner = dependent?.children[0]
  }
  if (inner?.kind === 'FunctionType') printFunctionType(printer, inner, labels)
  else printer.failed = true
}

/** Prints a function with its generic arguments instead of its signature. */
const printBoundFunction: Print = (printer, { children: [entity, args] }, asContext) =>
  entity && printEntity(printer, entity, asContext, { type: 'function', named: true, ...(args && { args }) })

const named =
  (type: Style['type']): Print =>
  (printer, node, asContext) =>
    printEntity(printer, node, asContext, { type, named: true })

const closure =
  (words: string): Print =>
  (printer, node, asContext) => {
    const extra = `${words}${(node.children[1]?.index ?? 0) + 1}`
    return printEntity(printer, node, asContext, { type: printer.full ? 'function' : 'none', extra })
  }

/** Returns `words` for a class, whose initializers and deinitializers manage memory; `otherwise` for other types. */
function allocates(node: Node, words: string, otherwise: string): string {
  return node.children[0]?.kind === 'Class' ? words : otherwise
}

const printAccessor: Print = (printer, node, asContext) => {
  const [storage] = node.children
  if (!storage) return undefined
  const style: Style = { type: 'colon', extra: node.text }
  return storage.kind === 'Subscript'
    ? printEntity(printer, storage, asContext, { ...style, fixedName: 'subscript' })
    : printEntity(printer, storage, asContext, { ...style, named: true })
}

const printMacroExpansion: Print = (printer, node, asContext) => {
  const extra = `${node.text}${(node.children[2]?.index ?? 0) + 1}`
  return printEntity(printer, node, asContext, { type: 'none', named: true, extra })
}

const printMacroLocation: Print = (printer, { children: [module, file, line, column] }) => {
  printer.write('module ')
  printer.print(module)
  printer.write(' file ')
  printer.print(file)
  printer.write(' line ')
  printer.print(line)
  printer.write(' column ')
  printer.print(column)
  return undefined
}

export const entityPrinters = {
  Accessor: printAccessor,
  Allocator: (printer, node, asContext) =>
    printEntity(printer, node, asContext, { type: 'function', extra: allocates(node, '__allocating_init', 'init') }),
  BoundGenericFunction: printBoundFunction,
  Class: named('none'),
  Constructor: (printer, node, asContext) =>
    printEntity(printer, node, asContext, { type: 'function', named: node.children.length > 2, extra: 'init' }),
  Deallocator: (printer, node, asContext) =>
    printEntity(printer, node, asContext, { type: 'none', extra: allocates(node, node.text, 'deinit') }),
  DefaultArgument: (printer, node, asContext) =>
    printEntity(printer, node, asContext, { type: 'none', extra: `default argument ${node.children[1]?.index ?? 0}` }),
  Destructor: (printer, node, asContext) => printEntity(printer, node, asContext, { type: 'none', extra: node.text }),
  Enum: named('none'),
  ExplicitClosure: closure('closure #'),
  Function: named('function'),
  GenericTypeParamDecl: named('none'),
  ImplicitClosure: closure('implicit closure #'),
  Initializer: (printer, node, asContext) => printEntity(printer, node, asContext, { type: 'none', extra: node.text }),
  Macro: (printer, node, asContext) =>
    printEntity(printer, node, asContext, { type: node.children.length === 3 ? 'colon' : 'function', named: true }),
  MacroExpansion: printMacroExpansion,
  MacroExpansionLocation: printMacroLocation,
  OtherNominalType: named('none'),
  Protocol: named('none'),
  Structure: named('none'),
  Subscript: (printer, node, asContext) =>
    printEntity(printer, node, asContext, { type: 'function', fixedName: 'subscript' }),
  TypeAlias: named('none'),
  Variable: named('colon'),
} satisfies Record<string, Print>
