/**
 * Finds the name of a function of JavaScript or TypeScript in the text of its source, by how the lines are indented: a
 * line that is indented less than all lines behind it begins what they are in. That is right for sources as people and
 * formatters write them, needs no parser for the dialects of the language, and always ends. What is read tells
 * functions apart and stands instead of a minifier's name, so a name that is wrong costs a detail of a group's key,
 * beside a line that is right.
 */

const identifier = String.raw`[A-Za-z_$#][\w$]{0,100}`
const type = String.raw`(?:\s*:[^=]{1,200})?`

/** Patterns of declarations that name a function, in the order in which they are tried. */
const declarations = [
  // function pay(…, async function* pay<T>(…
  new RegExp(String.raw`\bfunction\s*\*?\s*(${identifier})\s*[(<]`, 'g'),
  // const Price = memo(({ item }) => …, pay = async function (…, Cart.prototype.load = function (…
  new RegExp(String.raw`(${identifier})${type}\s*=(?![=>]).{0,200}?(?:=>|\bfunction\b)`, 'g'),
  // pay: async (cart) => …, pay: function (…
  new RegExp(
    String.raw`(?<![?\w$]\s?)(${identifier})\s*:\s*(?:async\s*)?(?:function\b|\([^()]{0,200}\).{0,100}=>|\w+\s*=>)`,
    'g',
  ),
]
const modifiers = String.raw`(?:(?:public|private|protected|static|override|async|get|set)\s+){0,5}`
/** static async pay(cart: Cart): Promise<void> { */
const method = new RegExp(String.raw`^\s*${modifiers}\*?\s*(${identifier})\s*(?:<[^>]{0,100}>)?\s*\(.{0,200}\{\s*$`)
/** const Price = (, pay(, export const load = async <T>(, with its parameters on lines of their own */
const opened = new RegExp(
  String.raw`(${identifier})(?:${type}\s*=(?!=)[^()]{0,50})?\s*(?:<[^>]{0,100}>)?\s*\((?:[^()]{0,50}\()?[\s{[]*$`,
)
const keywords = /^(?:if|for|while|switch|catch|with|return|function|do|else|await|constructor|super|new|typeof)$/

/**
 * The name of the function around a place. Undefined if no line before it declares one.
 *
 * @param lines what the source has up to the line of the place
 * @param column of the place in the last of them, counted from 0
 */
export function findDeclaredName(lines: readonly string[], column: number): string | undefined {
  const own = lines.at(-1) ?? ''
  const inLine = findInLine(own.slice(0, column))
  if (inLine !== undefined) return inLine
  let indent = toIndent(own)
  let isClosing = isClosed(own)
  for (let at = lines.length - 2; at >= 0 && (indent > 0 || isClosing); at--) {
    const line = lines[at] ?? ''
    if (line.trim() === '') continue
    const depth = toIndent(line)
    // The line of a closing bracket is indented as the line that opens it.
    if (isClosing ? depth > indent : depth >= indent) continue
    const name = findInLine(line) ?? findMethod(line) ?? (isClosing ? findOpened(line) : undefined)
    if (name !== undefined) return name
    indent = depth
    isClosing = isClosed(line)
  }
  return undefined
}

/** The last function that a line declares. */
function findInLine(line: string): string | undefined {
  for (const declaration of declarations) {
    const name = [...line.matchAll(declaration)].at(-1)?.[1]
    if (name !== undefined && !keywords.test(name)) return name
  }
  return undefined
}

function findMethod(line: string): string | undefined {
  if (line.includes('=>')) return undefined
  const name = method.exec(line)?.[1]
  return name === undefined || keywords.test(name) ? undefined : name
}

function findOpened(line: string): string | undefined {
  const name = opened.exec(line)?.[1]
  return name === undefined || keywords.test(name) ? undefined : name
}

/** Whether a line goes on with what an earlier one has opened, such as `) {` and `}) => {`. */
function isClosed(line: string): boolean {
  return /^\s*[)\]}]/.test(line)
}

function toIndent(line: string): number {
  return /^\s*/.exec(line)?.[0].length ?? 0
}
