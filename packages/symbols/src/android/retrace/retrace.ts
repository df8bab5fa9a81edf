/** Restores what ProGuard or R8 obfuscated in a stack trace, in the words of R8's retrace. */
import type { SymbolicatedThread } from '../../symbolicated.ts'
import { ByteOutput } from '../bytes/byte-output.ts'
import type { Mapping } from '../index/mapping.ts'
import { LineBuffer } from '../trace/line-buffer.ts'
import { ThreadBuilder } from './thread-builder.ts'
import { type RetraceOptions, TraceRewriter } from './trace-rewriter.ts'

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
  // Half a character cannot be written as bytes.
  if (!text.isWellFormed()) {
    const written = splitLines(text).map((line) => rewriter.writeLine(line))
    return written.join('').slice(0, -1)
  }
  const bytes = Buffer.from(`${text}${text.endsWith('\r') ? '\n' : ''}\n`)
  const output = new ByteOutput(2 * bytes.length + 256)
  rewriteLines(bytes, 0, rewriter, output, Infinity)
  return output.take().toString('utf8').slice(0, -1)
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
 * lines; or of bytes in UTF-8, which is quicker. Memory does not grow with the length.
 */
export async function* retraceStream<Chunk extends string | Uint8Array>(
  chunks: AsyncIterable<Chunk> | Iterable<Chunk>,
  mappings: Mapping | readonly Mapping[],
  options: RetraceOptions = {},
): AsyncGenerator<Chunk extends string ? string : Buffer> {
  const rewriter = new TraceRewriter(toList(mappings), options)
  const output = new ByteOutput(pieceLength + 4096)
  const lineBuffer = new LineBuffer()
  let isText = false
  function* rewrite(lines: Buffer) {
    for (let at = 0; at < lines.length;) {
      at = rewriteLines(lines, at, rewriter, output, pieceLength)
      if (output.length === 0) continue
      const piece = output.take()
      // As the chunks are.
      yield (isText ? piece.toString('utf8') : piece) as Chunk extends string ? string : Buffer
    }
  }
  for await (const chunk of chunks) {
    isText = typeof chunk === 'string'
    yield* rewrite(lineBuffer.add(chunk))
  }
  yield* rewrite(lineBuffer.finish())
}

/** Of what is given at once, in bytes. */
const pieceLength = 256 * 1024

const newline = 0x0a
const carriageReturn = 0x0d

/** Restores lines from `start` on until `output` is of that length; the place where it stopped. */
function rewriteLines(
  bytes: Buffer,
  start: number,
  rewriter: TraceRewriter,
  output: ByteOutput,
  length: number,
): number {
  const hasReturns = bytes.includes(carriageReturn, start)
  let at = start
  while (at < bytes.length && output.length < length) {
    const newlineAt = bytes.indexOf(newline, at)
    const end = newlineAt === -1 ? bytes.length : newlineAt
    if (hasReturns) rewriteWithReturns(bytes, at, end, rewriter, output)
    else rewriter.rewriteLine(bytes, at, end, output)
    at = end + 1
  }
  return at
}

/** Restores a line that may end in a carriage return, or be several that do. */
function rewriteWithReturns(
  bytes: Buffer,
  start: number,
  lineEnd: number,
  rewriter: TraceRewriter,
  output: ByteOutput,
): void {
  const isPair = lineEnd > start && lineEnd < bytes.length && bytes[lineEnd - 1] === carriageReturn
  const end = isPair ? lineEnd - 1 : lineEnd
  if (!bytes.subarray(start, end).includes(carriageReturn)) rewriter.rewriteLine(bytes, start, end, output)
  else for (const line of splitLines(bytes.toString('utf8', start, end))) output.appendText(rewriter.writeLine(line))
}

function toList(mappings: Mapping | readonly Mapping[]): readonly Mapping[] {
  return 'readMembers' in mappings ? [mappings] : mappings
}

function splitLines(text: string): string[] {
  // The expression takes several times as long.
  return text.includes('\r') ? text.split(/\r\n|\n|\r/) : text.split('\n')
}
