/** Normalizes names of frames for a group's key: the parts that differ between builds of the same code are left out. */

/** A frame as grouping uses it: resolved if there are symbols, otherwise as the device reported it. */
export interface GroupedFrame {
  /** The class, or the name of the source file for a function that has neither a class nor an image. */
  className: string | null
  /** The method of a class, or the whole demangled name of a native function. */
  name: string | null
  module: string | null
  /** Whether the frame belongs to the app rather than to the system or a library. */
  isApp: boolean
  /** Whether a rule of the application leaves the frame out of the key. */
  isSkipped?: boolean
}

/** Returns the name of a frame; for a frame without a name its module, and undefined if that is unknown, too. */
export function toFrameName({ className, name, module }: GroupedFrame): string | undefined {
  if (className !== null && name !== null) return `${stripGenerated(className)}.${stripGenerated(name)}`
  if (name !== null && isVague({ name })) return name
  if (name !== null) return stripTemplates(stripGenerated(stripParameters(stripResult(name))))
  return module ?? className ?? undefined
}

/** Names that languages give to functions without a name, each of which a program has many of. */
const vagueNames = [
  /^(?:\?|<?anonymous>?|<anonymous closure>)$/,
  // V8 names the class of `this`, such as `HTMLButtonElement`, which a listener has of its element.
  /^(?:[\w$]{1,200}\.){1,20}<anonymous>$/,
  /^(?:.*::)?\{closure\}$/,
  /^<(?:lambda|listcomp|dictcomp|setcomp|genexpr)>$/,
]

/** Whether the name of a frame does not tell one function of its source or class from another. */
export function isVague({ name }: Pick<GroupedFrame, 'name'>): boolean {
  return name !== null && vagueNames.some((pattern) => pattern.test(name))
}

/** Ruby names a block, and a part of a method that handles an exception, by the method around it. */
export function stripBlocks(name: string): string {
  return name.replace(/^(?:(?:block(?: \(\d{1,4} levels\))?|rescue|ensure) in )+/, '')
}

/** Compilers number lambdas, anonymous classes, blocks and closures, and the numbers depend on the code around them. */
function stripGenerated(name: string): string {
  return (
    name
      .replace(/\$\$?(?:Lambda|lambda|ExternalSyntheticLambda|InternalSyntheticLambda)[\w$/.-]*/g, '$$lambda')
      .replace(/\blambda\$(\w+)\$\d+/g, 'lambda$$$1')
      .replace(/(\$\d+)+(?=$|[.$])/g, '')
      .replace(/\$\$inlined\$\w+(?:\$\d+)?/g, '')
      .replace(/(_block_invoke)(?:_?\d+)?/g, '$1')
      .replace(/\bclosure #\d+ /g, 'closure ')
      .replace(/\bimplicit closure #\d+ /g, 'closure ')
      .replace(/\{lambda\((.{0,500}?)\)#\d+\}/g, '{lambda}')
      .replace(/\$_\d+/g, '{lambda}')
      .replace(/@[0-9a-f]{4,16}\b/g, '')
      // Rails makes a method of each template, whose name ends with two numbers of the process.
      .replace(/(_(?:erb|haml|slim|jbuilder|builder))__+\d+_\d+$/, '$1')
  )
}

/** Matches the text between the parameters of a Swift function and its return type, such as ` async throws -> `. */
const swiftArrow = /(?: async)?(?: (?:re)?throws(?:\([^()]{0,200}\))?)? -> /y

/**
 * Removes what a Swift function returns, which may be `()` and look like parameters. A closure is named with the
 * function around it, as in `closure () -> () in Shop.Cart.load() -> ()`, of which the last one counts.
 */
function stripResult(name: string): string {
  if (!name.includes(' -> ')) return name
  let depth = 0
  let end: number | undefined
  for (let at = 0; at < name.length; at++) {
    const character = name[at]
    const isArrow = character === '>' && name[at - 1] === '-'
    if (character === '(' || character === '[' || character === '<') depth++
    else if (character === ')' || character === ']' || (character === '>' && !isArrow)) depth--
    if (depth !== 0) continue
    if (character === ' ' && name.startsWith(' in ', at)) end = undefined
    swiftArrow.lastIndex = at + 1
    if (character === ')' && end === undefined && swiftArrow.test(name)) end = at + 1
  }
  return end === undefined ? name : name.slice(0, end)
}

/** Removes the parameters of a C++ or Swift function, because crashes in overloads mostly have one cause. */
function stripParameters(name: string): string {
  if (name.startsWith('-[') || name.startsWith('+[')) return name
  const close = name.lastIndexOf(')')
  if (close < 0) return name
  let depth = 0
  for (let at = close; at >= 0; at--) {
    if (name[at] === ')') depth++
    else if (name[at] === '(' && --depth === 0) {
      const head = name.slice(0, at)
      return head.trim() === '' || head.endsWith('operator') ? name : head
    }
  }
  return name
}

/** Removes template and generic arguments of any depth. Brackets of operators and unbalanced brackets stay. */
function stripTemplates(name: string): string {
  if (!name.includes('<') || /operator(<|>|->)/.test(name)) return name
  let kept = ''
  let depth = 0
  for (const character of name) {
    if (character === '<') depth++
    else if (character === '>' && depth > 0) depth--
    else if (depth === 0) kept += character
  }
  return depth === 0 && kept !== '' ? kept : name
}
