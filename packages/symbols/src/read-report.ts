import { detectAndroidForm } from './android/report/report-form.ts'
import { detectMapId } from './android/trace/map-id.ts'
import { listTombstoneLibraries, symbolicateTombstone } from './native/symbolicate-tombstone.ts'
import { parseThreadDump } from './native/thread-dump.ts'
import { looksLikeDartTrace, parseDartTrace } from './dart/parse-dart-trace.ts'
import { listSnapshots, symbolicateDart } from './dart/symbolicate-dart.ts'
import { type JavaScriptStack, looksLikeJavaScript, parseJavaScriptStack } from './javascript/parse-stack.ts'
import { listBundles, symbolicateJavaScript } from './javascript/symbolicate-javascript.ts'
import { listDumpLibraries, retraceReport } from './retrace-report.ts'
import { checkReportSize } from './report/check-report-size.ts'
import { detectPlatform, type ReportPlatform } from './report/detect-platform.ts'
import { listFrameImages } from './report/list-frame-images.ts'
import { hasAppleLine, parseReport } from './report/parse-report.ts'
import { symbolicateCrash } from './report/symbolicate-crash.ts'
import type { MissingSymbols, SymbolicatedReport } from './symbolicated.ts'
import type { SymbolsSource } from './symbols-source.ts'
import { looksLikeProtobuf, parseProtobufTombstone } from './tombstone/parse-protobuf.ts'
import { looksLikeTombstone, parseTombstone } from './tombstone/parse-tombstone.ts'
import type { Tombstone } from './tombstone/tombstone.ts'

/** The symbols that a report asks for. */
export interface ReportContents {
  kind: SymbolicatedReport['kind']
  /** The images or bundles that frames lie in, each once; frames of Java and Kotlin lie in none. */
  images: MissingSymbols[]
  /** The mapping that an Android trace names; null if it names none. */
  mapId: string | null
}

/** A parsed report that waits for its symbols. */
export interface ReadReport {
  contents: ReportContents
  resolve(source: SymbolsSource): Promise<SymbolicatedReport>
}

/**
 * Parses a report once, so that its symbols can be looked for before it is resolved. Its content decides about its
 * platform, as it does for crash intake; `ownPlatform` is that of the application, for texts that do not tell.
 * Throws `malformed-report`, `unknown-report`, `too-large`.
 */
export function readReport(report: string | Uint8Array, ownPlatform: ReportPlatform): ReadReport {
  if (typeof report !== 'string') {
    const bytes = Buffer.from(report.buffer, report.byteOffset, report.byteLength)
    if (looksLikeProtobuf(bytes)) return readTombstone(parseProtobufTombstone(bytes))
    // A log may hold zero bytes, with which JSON could not be read.
    return readReport(bytes.toString().replaceAll('\0', '\uFFFD'), ownPlatform)
  }
  const text = report
  checkReportSize(text)
  const isDump = detectAndroidForm(text) === 'threads'
  if (!isDump && looksLikeTombstone(text) && !hasAppleLine(text)) return readTombstone(parseTombstone(text))
  if (looksLikeDartTrace(text) && !hasAppleLine(text)) {
    const trace = parseDartTrace(text)
    return {
      contents: { kind: 'dart', images: listSnapshots(trace), mapId: null },
      resolve: (source) => symbolicateDart(trace, source),
    }
  }
  if (detectPlatform(text) !== 'apple' && looksLikeJavaScript(text)) return readJavaScript(parseJavaScriptStack(text))
  const platform = findPlatform(text) ?? ownPlatform
  if (platform === 'android') {
    const mapId = detectMapId(text) ?? null
    const dump = isDump ? parseThreadDump(text) : { architecture: null, frames: new Map() }
    return {
      contents: { kind: 'android', images: listDumpLibraries(dump), mapId },
      resolve: (source) => retraceReport(text, mapId, dump, source),
    }
  }
  const apple = parseReport(text)
  return {
    contents: { kind: 'apple', images: listFrameImages(apple), mapId: null },
    resolve: ({ findImage }) => symbolicateCrash(apple, findImage),
  }
}

function readTombstone(tombstone: Tombstone): ReadReport {
  return {
    contents: { kind: 'native', images: listTombstoneLibraries(tombstone), mapId: null },
    resolve: ({ findImage }) => symbolicateTombstone(tombstone, findImage),
  }
}

function readJavaScript(stack: JavaScriptStack): ReadReport {
  return {
    contents: { kind: 'javascript', images: listBundles(stack), mapId: null },
    resolve: ({ findSourceMap = () => undefined }) => symbolicateJavaScript(stack, findSourceMap),
  }
}

function findPlatform(text: string): ReportPlatform | undefined {
  if (detectPlatform(text) === 'apple') return 'apple'
  return detectAndroidForm(text) === undefined ? undefined : 'android'
}
