import { printChildren, printNothing, printPhrase, printText } from './phrases.ts'
import type { Print } from './printer.ts'

const printPartialApply: Print = (printer, { text, children }) => {
  printer.write(printer.full ? text : 'partial apply')
  if (children.length > 0) printer.write(' for ')
  printer.printAll(children)
  return undefined
}

const printReabstractionThunk: Print = (printer, { text, children }) => {
  const isSelf = text === 'self '
  const hasSignature = children.length === (isSelf ? 4 : 3)
  const types = hasSignature ? children.slice(1) : children
  const [self] = isSelf ? types.splice(0, 1) : []
  const [to, from] = types
  if (!printer.full && !isSelf) {
    printer.write('thunk for ')
    return printer.print(from)
  }
  printer.write(`reabstraction thunk ${isSelf ? '' : text}`)
  if (hasSignature) {
    printer.print(children[0])
    printer.write(' ')
  }
  printer.write('from ')
  printer.print(from)
  printer.write(' to ')
  printer.print(to)
  if (!self) return undefined
  printer.write(' self ')
  printer.print(self)
  return undefined
}

const printKeyPathThunk: Print = (printer, { text, children: [declaration, ...rest] }) => {
  printer.write(text)
  printer.print(declaration)
  printer.write(' : ')
  for (const child of rest) {
    if (child.kind === 'Serialized') printer.write(', ')
    printer.print(child)
  }
  return undefined
}

const printKeyPathIndexThunk: Print = (printer, { text, children }) => {
  printer.write(text)
  const signature = children.at(-1)?.kind === 'DependentGenericSignature' ? children.at(-1) : undefined
  printer.print(signature)
  printer.write('(')
  printer.printAll(signature ? children.slice(0, -1) : children, ', ')
  printer.write(')')
  return undefined
}

const errorFlags = ['', ' nonzero on error', ' zero on error']

const printCompletionHandler: Print = (printer, { text, children: [implementation, result, flag, signature] }) => {
  printer.write(`${text}@objc completion handler block implementation for `)
  printer.print(signature)
  printer.print(implementation)
  printer.write(' with result type ')
  printer.print(result)
  printer.write(errorFlags[flag?.index ?? 0] ?? ' <invalid error flag>')
  return undefined
}

/** Quotes text as Swift writes it in a string literal, with control characters and quotes escaped. */
function quote(text: string): string {
  const escapes: Record<string, string> = {
    '\\': '\\\\',
    '\t': '\\t',
    '\n': '\\n',
    '\r': '\\r',
    '"': '\\"',
    '\0': '\\0',
  }
  // oxlint-disable-next-line no-control-regex -- control characters are what is escaped here
  const escaped = text.replace(/[\\"\u0000-\u001f\u007f]/g, (char) => {
    return escapes[char] ?? `\\x${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
  })
  return `"${escaped}"`
}

/** Prints the shape of an existential type. It consists of requirements only, so both forms show them. */
const printExistentialShape: Print = (printer, { children: [shape, signature] }) => {
  const before = printer.showWhere
  printer.showWhere = true
  printer.write('existential shape for ')
  if (signature) {
    printer.print(signature)
    printer.write(' ')
  }
  printer.write('any ')
  printer.print(shape)
  printer.showWhere = before
  return undefined
}

export const wrapperPrinters = {
  Attribute: printText,
  AsyncResume: (printer, { text, children: [index] }) => {
    if (printer.full) printer.write(`(${index?.index ?? 0})${text}`)
    return undefined
  },
  ExistentialShape: printExistentialShape,
  Global: printChildren,
  KeyPathThunk: printKeyPathThunk,
  KeyPathIndexThunk: printKeyPathIndexThunk,
  ObjCCompletionHandler: printCompletionHandler,
  OnceDeclList: (printer, { children }) => {
    if (children.length === 1) return printer.print(children[0])
    printer.write('(')
    printer.printAll(children, ', ')
    printer.write(')')
    return undefined
  },
  PartialApply: printPartialApply,
  Phrase: printPhrase,
  ReabstractionThunk: printReabstractionThunk,
  Suffix: (printer, node) => {
    if (printer.full) printer.write(` with unmangled suffix ${quote(node.text)}`)
    return undefined
  },
  ThunkAttribute: (printer, node) => {
    if (printer.full) printer.write(node.text)
    return undefined
  },
  ValueWitness: (printer, node) => {
    printer.write(node.text + (printer.full ? ' value witness for ' : ' for '))
    return printChildren(printer, node, false)
  },
  Index: (printer, node) => {
    printer.write(node.text === '' ? `${node.index}` : node.text)
    return undefined
  },
  Serialized: (printer) => {
    printer.write('serialized')
    return undefined
  },
  ClangType: printText,
  SendingResult: (printer) => {
    printer.write('sending ')
    return undefined
  },
  DifferentiableFunctionType: printText,
  IndexSubset: printText,
  AsyncAnnotation: printNothing,
  ConcurrentFunctionType: printNothing,
  FunctionIsolation: printNothing,
  ThrowsAnnotation: printNothing,
  EmptyList: (printer) => {
    printer.write(' empty-list ')
    return undefined
  },
  FirstElementMarker: (printer) => {
    printer.write(' first-element-marker ')
    return undefined
  },
  VariadicMarker: (printer) => {
    printer.write(' variadic-marker ')
    return undefined
  },
} satisfies Record<string, Print>
