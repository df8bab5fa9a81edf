/** Restores what ProGuard or R8 obfuscated in a stack trace, in the words of R8's retrace. */
import type { Mapping } from './mapping.ts'
import { ThreadBuilder } from './thread-builder.ts'
import { type RetraceOptions, TraceRewriter } from './trace-rewriter.ts'
import type { SymbolicatedThread } from '../symbolicated.ts'

export interface RetracedTrace {
  /** As `retraceText` gives it. */
  readonly text: string
  /** One for each exception, cause and thread with frames, in the order of the trace. */
  readonly threads: SymbolicatedThread[]
  /** What was wrong with the mappings, as far as they were read. */
  readonly warnings: string[]
}

/**
 * The trace with its lines restored, as R8's retrace writes it. Several mappings are a chain: what the app's mapping
 * restores may be names of a library that was obfuscated before, and the library's mapping goes on from there.
 */
export function retraceText(
  text: string,
  mappings: Mapping | readonly Mapping[],
  options: RetraceOptions = {},
): string {
  const rewriter = new TraceRewriter(toList(mappings), options)
  return splitLines(text)
    .map((line) => rewriter.writeLine(line))
    .join('')
    .slice(0, -1)
}

/** The trace restored, as text and as frames. */
export function retrace(
  text: string,
  mappings: Mapping | readonly Mapping[],
  options: RetraceOptions = {},
): RetracedTrace {
  const chain = toList(mappings)
  const rewriter = new TraceRewriter(chain, options)
  const builder = new ThreadBuilder()
  const written: string[] = []
  for (const line of splitLines(text)) {
    const answer = rewriter.readLine(line)
    const lines = rewriter.writeAnswer(line, answer)
    written.push(...lines)
    builder.add(line, lines[0] ?? '', answer)
  }
  const warnings = [...chain.flatMap((mapping) => mapping.warnings), ...rewriter.warnings, ...builder.warnings]
  return { text: written.join('\n'), threads: builder.threads, warnings }
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
  let rest = ''
  for await (const chunk of chunks) {
    const text = rest + chunk
    // A line longer than that is cut; it is none of a trace.
    const end = text.length > maxRest ? text.length : text.lastIndexOf('\n') + 1
    rest = text.slice(end)
    yield* rewriteLines(text, end, rewriter)
  }
  if (rest !== '') yield* rewriteLines(rest, rest.length, rewriter)
}

/** Restores `text` up to `end`, and gives what is written so far now and then, so that it need not live long. */
function* rewriteLines(text: string, end: number, rewriter: TraceRewriter): Generator<string> {
  let written = ''
  for (let start = 0; start < end;) {
    const newlineAt = text.indexOf('\n', start)
    const next = newlineAt === -1 ? end : Math.min(newlineAt + 1, end)
    const line = text.slice(start, newlineAt === -1 || newlineAt >= end ? end : newlineAt)
    start = next
    if (!line.includes('\r')) written += rewriter.writeLine(line)
    else
      for (const part of splitLines(newlineAt !== -1 && line.endsWith('\r') ? line.slice(0, -1) : line))
        written += rewriter.writeLine(part)
    if (written.length < pieceLength) continue
    yield written
    written = ''
  }
  if (written !== '') yield written
}

const maxRest = 1024 * 1024
/** Of what is given at once, in characters. */
const pieceLength = 32 * 1024

function toList(mappings: Mapping | readonly Mapping[]): readonly Mapping[] {
  return 'readMembers' in mappings ? [mappings] : mappings
}

function splitLines(text: string): string[] {
  // The expression takes several times as long.
  return text.includes('\r') ? text.split(/\r\n|\n|\r/) : text.split('\n')
}
