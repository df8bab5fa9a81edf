/** Restores stack traces that ProGuard or R8 obfuscated, with the same output as R8's retrace. */
import type { SymbolicatedFrame, SymbolicatedThread } from '../../symbolicated.ts'
import { ByteOutput } from '../bytes/byte-output.ts'
import type { Mapping } from '../index/mapping.ts'
import { LineBuffer } from '../trace/line-buffer.ts'
import { ThreadBuilder } from './thread-builder.ts'
import { type RetraceOptions, TraceRewriter } from './trace-rewriter.ts'

export interface RetracedTrace {
  /** The text that `retraceText` returns. */
  readonly text: string
  /** The exceptions, causes and threads that have frames, in the order of the trace. */
  readonly threads: SymbolicatedThread[]
  /** Sentences about faults in the parts of the mappings that were read. */
  readonly warnings: string[]
}

/**
 * Restores a trace and returns its text, written as R8's retrace writes it. Several mappings form a chain: the names
 * that the app's mapping restores may be those of a library that was already obfuscated, which the library's mapping
 * restores in turn.
 */
export function retraceText(
  text: string,
  mappings: Mapping | readonly Mapping[],
  options: RetraceOptions = {},
): string {
  const rewriter = new TraceRewriter(toList(mappings), options)
  // A lone surrogate cannot be encoded in UTF-8, so this text is processed as a string.
  if (!text.isWellFormed()) {
    const written = splitLines(text).map((line) => rewriter.writeLine(line))
    return written.join('').slice(0, -1)
  }
  const bytes = Buffer.from(`${text}${text.endsWith('\r') ? '\n' : ''}\n`)
  const output = new ByteOutput(2 * bytes.length + 256)
  rewriteLines(bytes, 0, rewriter, output, Infinity)
  return output.take().toString('utf8').slice(0, -1)
}

/** A line of a dump of threads that is a frame of native code, which mappings say nothing about. */
export interface NativeLine {
  readonly frames: readonly SymbolicatedFrame[]
  /** The lines to write after it. */
  readonly places: readonly string[]
}

export interface RetraceReportOptions extends RetraceOptions {
  readonly nativeLines?: ReadonlyMap<string, NativeLine>
}

/** Restores a trace and returns its text and its frames. */
export function retrace(
  text: string,
  mappings: Mapping | readonly Mapping[],
  { nativeLines, ...options }: RetraceReportOptions = {},
): RetracedTrace {
  const chain = toList(mappings)
  const rewriter = new TraceRewriter(chain, options)
  const builder = new ThreadBuilder()
  const written: string[] = []
  for (const line of splitLines(text)) {
    const native = nativeLines?.get(line)
    if (native) {
      written.push(line, ...native.places)
      builder.addNative(native.frames)
      continue
    }
    const answer = rewriter.readLine(line)
    const lines = rewriter.writeAnswer(line, answer)
    written.push(...lines)
    builder.add(line, lines[0] ?? '', answer)
  }
  const warnings = [...chain.flatMap((mapping) => mapping.warnings), ...rewriter.warnings, ...builder.warnings]
  return { text: written.join('\n'), threads: builder.threads, warnings }
}

/**
 * Restores a trace or log of any length piece by piece. Chunks of text give text; chunks of UTF-8 bytes give bytes,
 * which is faster. Each piece that comes out holds whole lines. Memory does not grow with the length.
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
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type of the chunks decides it
      yield (isText ? piece.toString('utf8') : piece) as Chunk extends string ? string : Buffer
    }
  }
  for await (const chunk of chunks) {
    isText = typeof chunk === 'string'
    yield* rewrite(lineBuffer.add(chunk))
  }
  yield* rewrite(lineBuffer.finish())
}

/** The size at which output is passed on, in bytes. */
const pieceLength = 256 * 1024

const newline = 0x0a
const carriageReturn = 0x0d

/** Restores lines from `start` on until `output` has reached `length`. Returns the offset of the next line. */
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

/** Restores a line that ends with a carriage return, or that carriage returns split into several lines. */
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
  // Splitting by the expression takes several times as long.
  return text.includes('\r') ? text.split(/\r\n|\n|\r/) : text.split('\n')
}
