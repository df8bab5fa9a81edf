import { bare, childOf } from '../node.ts'
import { printBoundGeneric, printSugar, printWithParens } from './bound-generics.ts'
import { printFunctionType, printParameters } from './functions.ts'
import { printChildren, printNothing, printPhrase, printText } from './phrases.ts'
import type { Print } from './printer.ts'

const printMetatype: Print = (printer, { kind, text, children: [instance] }) => {
  if (text !== '') printer.write(`${text} `)
  const isExistential =
    instance &&
    ['ExistentialMetatype', 'ProtocolList', 'ProtocolListWithClass', 'ProtocolListWithAnyObject'].includes(
      bare(instance).kind,
    )
  if (kind === 'Metatype') printWithParens(printer, instance)
  else printer.print(instance)
  printer.write(kind === 'Metatype' && isExistential ? '.Protocol' : '.Type')
  return undefined
}

const printTupleElement: Print = (printer, node) => {
  printer.print(childOf(node, 'TupleElementName'))
  printer.print(childOf(node, 'Type'))
  if (childOf(node, 'VariadicMarker')) printer.write('...')
  return undefined
}

const printList =
  (open: string, close: string): Print =>
  (printer, node) => {
    printer.write(node.text + open)
    printer.printAll(node.children, ', ')
    printer.write(close)
    return undefined
  }

const printProtocolList: Print = (printer, { children: [list] }) => {
  const protocols = list?.children ?? []
  if (protocols.length === 0) printer.write('Any')
  else printer.printAll(protocols, ' & ')
  return undefined
}

const printProtocolsWithClass: Print = (printer, { children: [protocols, superclass] }) => {
  printer.print(superclass)
  printer.write(' & ')
  printer.printAll(protocols?.children[0]?.children ?? [], ' & ')
  return undefined
}

const printProtocolsWithAnyObject: Print = (printer, { children: [protocols] }) => {
  const list = protocols?.children[0]?.children ?? []
  printer.printAll(list, ' & ')
  printer.write(list.length > 0 ? ' & Swift.AnyObject' : 'Swift.AnyObject')
  return undefined
}

/** Prints a SIL box: of one type, or with a layout, as in `<A> { let T, var U } <Args>`. */
const printSilBox: Print = (printer, { text, children: [content, signature, args] }) => {
  if (text !== '') {
    printer.write(text)
    return printer.print(content)
  }
  if (signature) {
    printer.print(signature)
    printer.write(' ')
  }
  printer.write('{')
  for (const [i, field] of (content?.children ?? []).entries()) {
    const inner = field.children[0]
    const isVariable = inner?.kind === 'ModifiedType' && inner.text === 'inout'
    printer.write(`${i > 0 ? ',' : ''} ${isVariable ? 'var' : 'let'} `)
    printer.print(isVariable ? inner.children[0] : field)
  }
  printer.write(' }')
  if (!args) return undefined
  printer.write(' <')
  printer.printAll(args.children, ', ')
  printer.write('>')
  return undefined
}

const printTypeMangling: Print = (printer, { children: [first, second] }) => {
  const mangled = second?.children[0]
  if (first?.kind !== 'LabelList') return printer.print(first)
  if (mangled?.kind === 'FunctionType') printFunctionType(printer, mangled, first)
  else printer.failed = true
  return undefined
}

export const typePrinters = {
  ArgumentTuple: (printer, node) => {
    printParameters(printer, node)
    return undefined
  },
  AssociatedTypeRef: (printer, { children: [base, name] }) => {
    printer.print(base)
    printer.write(`.${name?.text ?? ''}`)
    return undefined
  },
  BoundGenericClass: printBoundGeneric,
  BoundGenericEnum: printBoundGeneric,
  BoundGenericOtherNominalType: printBoundGeneric,
  BoundGenericProtocol: printBoundGeneric,
  BoundGenericStructure: printBoundGeneric,
  BoundGenericTypeAlias: printBoundGeneric,
  BuiltinType: printText,
  ConstrainedExistential: (printer, { children: [base, requirements] }) => {
    printer.write('any ')
    printer.print(base)
    printer.write('<')
    printer.printAll(requirements?.children ?? [], ', ')
    printer.write('>')
    return undefined
  },
  ExistentialMetatype: printMetatype,
  FunctionType: (printer, node) => {
    printFunctionType(printer, node)
    return undefined
  },
  LabelList: printNothing,
  Metatype: printMetatype,
  ModifiedType: (printer, node) => {
    printer.write(`${node.text} `)
    return printChildren(printer, node, false)
  },
  OpaqueReturnTypeOf: (printer, node) => {
    printer.write('<<opaque return type of ')
    printer.printAll(node.children)
    printer.write('>>')
    return undefined
  },
  OpaqueType: (printer, { children: [declaration, index] }) => {
    printer.print(declaration)
    printer.write(`.${index?.index ?? 0}`)
    return undefined
  },
  Pack: printList('Pack{', '}'),
  PackExpansion: (printer, { children: [pattern] }) => {
    printer.write('repeat ')
    printer.print(pattern)
    return undefined
  },
  ProtocolList: printProtocolList,
  ProtocolListWithAnyObject: printProtocolsWithAnyObject,
  ProtocolListWithClass: printProtocolsWithClass,
  ReturnType: printChildren,
  SilBox: printSilBox,
  SugaredType: (printer, node) =>
    node.text === '?' ? printSugar(printer, '?', node.children) : printPhrase(printer, node),
  Tuple: printList('(', ')'),
  TupleElement: printTupleElement,
  TupleElementName: (printer, node) => {
    printer.write(`${node.text}: `)
    return undefined
  },
  Type: (printer, node) => {
    printer.print(node.children[0])
    return undefined
  },
  TypeList: printChildren,
  TypeMangling: printTypeMangling,
} satisfies Record<string, Print>
