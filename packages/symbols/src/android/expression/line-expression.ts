/** Expressions that describe the lines of a trace, with the placeholders of the `--regex` option of R8's retrace. */
import { SymbolsError } from '../../symbols-error.ts'
import {
  type LinePart,
  maxTraceLineLength,
  splitFileAndLine,
  toClassPart,
  type TraceLine,
} from '../trace/trace-line.ts'
import { PatternMatcher } from './pattern-matcher.ts'
import { parsePattern } from './pattern.ts'

/** The expression that R8's retrace uses without `--regex`. */
export const defaultLineExpression =
  String.raw`(?:.*?\bat\s+%c\.%m\s*\(%S\)\p{Z}*(?:~\[.*\])?)` + String.raw`|(?:(?:(?:%c|.*)?[:"]\s+)?%c(?:(:|]).*)?)`

const segment = String.raw`[^\d\s\[\];:()<>][^\s\[\];:()<>]*`
const type = String.raw`(?:${segment}\.)*${segment}[\[\]]*`

type Placeholder = 'class' | 'binaryClass' | 'method' | 'field' | 'file' | 'line' | 'fileAndLine' | 'type' | 'arguments'

const placeholders: Record<string, { kind: Placeholder; expression: string }> = {
  c: { kind: 'class', expression: String.raw`(?:${segment}\.)*${segment}` },
  C: { kind: 'binaryClass', expression: String.raw`(?:${segment}\/)*${segment}` },
  m: { kind: 'method', expression: String.raw`(?:${segment}|<init>|<clinit>)` },
  f: { kind: 'field', expression: segment },
  s: { kind: 'file', expression: String.raw`(?::+[^\d:\s]|[^:]*)*` },
  l: { kind: 'line', expression: String.raw`\d*` },
  S: { kind: 'fileAndLine', expression: '.*' },
  t: { kind: 'type', expression: type },
  a: { kind: 'arguments', expression: String.raw`(?:(?:${type},\s*)*${type})?` },
}

/**
 * Compiles a Java regular expression into a function that splits lines into parts. Its placeholders are `%c` class,
 * `%C` class with slashes, `%m` method, `%f` field, `%s` source file, `%l` line, `%S` file and line, `%t` type, `%a`
 * arguments. Throws `SymbolsError` with `malformed-expression`.
 */
export function compileLineExpression(expression: string): (text: string) => TraceLine {
  const kinds: Placeholder[] = []
  let source = ''
  for (let at = 0; at < expression.length; at++) {
    const char = expression[at]
    if (char === '\\') source += char + (expression[++at] ?? '')
    else if (char === '%') {
      const placeholder = placeholders[expression[++at] ?? '']
      if (!placeholder) throw new SymbolsError('malformed-expression', `%${expression[at] ?? ''} is not a placeholder.`)
      source += `(?<p${kinds.push(placeholder.kind) - 1}>${placeholder.expression})`
    } else source += char
  }
  const matcher = new PatternMatcher(parsePattern(source))
  return (text) => ({ text, parts: text.length > maxTraceLineLength ? [] : findParts(matcher, kinds, text) })
}

function findParts(matcher: PatternMatcher, kinds: readonly Placeholder[], text: string): LinePart[] {
  const captures = matcher.match(text)
  const parts: LinePart[] = []
  let hasClass = false
  for (const [number, kind] of kinds.entries()) {
    const capture = captures?.get(`p${number}`)
    if (!capture) continue
    const { start, end } = capture
    if (kind === 'class' || kind === 'binaryClass') {
      const found: LinePart[] = hasClass ? [] : toClassPart(text, capture)
      hasClass ||= found.length > 0
      parts.push(...found.map((it) => (kind === 'class' ? it : { kind, start, end })))
    } else if (kind === 'fileAndLine') parts.push(...splitFileAndLine(text, start, end))
    else if (kind === 'line' && text[start - 1] === ':') parts.push({ kind, start: start - 1, end, withColon: true })
    else parts.push({ kind, start, end })
  }
  return parts
}
