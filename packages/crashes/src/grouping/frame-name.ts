/** Names of frames as a group's key holds them: without what changes from build to build while the code does not. */

/** A frame as its group sees it: resolved where there are symbols, as the device reported it elsewhere. */
export interface GroupedFrame {
  className: string | null
  /** The method of a class, or the whole name of a native function, demangled. */
  name: string | null
  module: string | null
  /** Whether it belongs to the app rather than to the system or a library of it. */
  isApp: boolean
  /** Whether a rule of the application says that the frame tells nothing. */
  isSkipped?: boolean
}

/** An unread frame is its module. Undefined where nothing at all is known of it. */
export function toFrameName({ className, name, module }: GroupedFrame): string | undefined {
  if (className !== null && name !== null) return `${stripGenerated(className)}.${stripGenerated(name)}`
  if (name !== null) return stripTemplates(stripGenerated(stripParameters(name)))
  return module ?? className ?? undefined
}

/** Numbers that compilers give to lambdas, anonymous classes, blocks and closures depend on the code around them. */
function stripGenerated(name: string): string {
  return name
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
}

/** The parameters of a C++ or Swift function: overloads of one function belong together more often than not. */
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

/** Template and generic arguments, whatever their depth. Brackets of operators stay, and so do unbalanced ones. */
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
