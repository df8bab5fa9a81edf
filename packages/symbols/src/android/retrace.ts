/** Restores what ProGuard or R8 obfuscated in a stack trace, in the words of R8's retrace. */
import type { Mapping } from './mapping.ts'
import { type RetraceOptions, TraceRewriter } from './trace-rewriter.ts'

/**
 * The trace with its lines restored, as R8's retrace writes it. Several mappings are a chain: what the app's mapping
 * restores may be names of a library that was obfuscated before, and the library's mapping goes on from there.
 */
export function retraceText(text: string, mappings: Mapping | readonly Mapping[], options: RetraceOptions = {}): string {
  const rewriter = new TraceRewriter(toList(mappings), options)
  return splitLines(text)
    .flatMap((line) => rewriter.writeLine(line))
    .join('\n')
}

/**
 * The same for a trace or log of any length, piece by piece as it comes: chunks of text in, chunks out, each of whole
 * lines. Memory does not grow with the length.
 */
export async function* retraceStream(
  chunks: AsyncIterable<string> | Iterable<string>,
  mappings: Mapping | readonly Mapping[],
  options: RetraceOptions = {},
): AsyncGenerator<string> {
  const rewriter = new TraceRewriter(toList(mappings), options)
  const write = (lines: readonly string[]): string => {
    let written = ''
    for (const line of lines) for (const answer of rewriter.writeLine(line)) written += `${answer}\n`
    return written
  }
  let rest = ''
  for await (const chunk of chunks) {
    const text = rest + chunk
    // A line longer than that is cut; it is none of a trace.
    const end = text.length > maxRest ? text.length : text.lastIndexOf('\n') + 1
    rest = text.slice(end)
    if (end > 0) yield write(splitLines(text.slice(0, text[end - 1] === '\n' ? end - 1 : end)))
  }
  if (rest !== '') yield write(splitLines(rest))
}

const maxRest = 1024 * 1024

export function toList(mappings: Mapping | readonly Mapping[]): readonly Mapping[] {
  return 'readMembers' in mappings ? [mappings] : mappings
}

export function splitLines(text: string): string[] {
  return text.split(/\r\n|\n|\r/)
}
