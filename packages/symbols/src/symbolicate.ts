import { type Mapping, openMapping } from './android/index/mapping.ts'
import { retrace } from './android/retrace/retrace.ts'
import { detectMapId } from './android/trace/map-id.ts'
import { maxReportLength } from './report/limits.ts'
import { isAppleReport, parseReport } from './report/parse-report.ts'
import { type FindImage, symbolicateCrash } from './report/symbolicate-crash.ts'
import type { SymbolicatedReport } from './symbolicated.ts'
import { SymbolsError } from './symbols-error.ts'

/** What an Android trace says of the mapping it needs. */
export interface MappingQuery {
  /** The identifier that R8 put into the trace; null where there is none, and the caller knows by other means. */
  mapId: string | null
}

/** Gives the path of a mapping's index; of a chain of mappings, the app's first; undefined where there is none. */
export type FindMapping = (
  query: MappingQuery,
) => string | readonly string[] | undefined | Promise<string | readonly string[] | undefined>

/** Where symbols come from: paths of files that `indexSymbols` wrote. */
export interface SymbolsSource {
  findImage: FindImage
  findMapping: FindMapping
}

/**
 * Resolves a crash report: `.ips`, legacy `.crash`, or an Android trace or log. Reads are small and synchronous; a report of twenty frames
 * takes some milliseconds. Symbols that are missing or cannot be read leave their frames as they were, with the reason.
 * Throws `malformed-report`, `too-large`.
 */
export async function symbolicate(text: string, source: SymbolsSource): Promise<SymbolicatedReport> {
  if (text.length > maxReportLength) throw new SymbolsError('too-large', `The report has ${text.length} characters.`)
  if (isAppleReport(text)) return await symbolicateCrash(parseReport(text), source.findImage)
  return await retraceTrace(text, source.findMapping)
}

async function retraceTrace(text: string, findMapping: FindMapping): Promise<SymbolicatedReport> {
  const mapId = detectMapId(text) ?? null
  const found = await findMapping({ mapId })
  const paths = typeof found === 'string' ? [found] : [...(found ?? [])]
  using stack = new DisposableStack()
  const { mappings, warnings } = openMappings(paths, stack)
  if (paths.length === 0) {
    warnings.push(mapId === null ? 'There is no mapping for this trace.' : `There is no mapping with the id ${mapId}.`)
  }
  const retraced = retrace(text, [...mappings.values()])
  return {
    kind: 'android',
    text: retraced.text,
    threads: retraced.threads,
    missingSymbols: [],
    usedImages: [],
    usedMappings: [...mappings.keys()],
    warnings: [...warnings, ...retraced.warnings],
  }
}

function openMappings(paths: readonly string[], stack: DisposableStack) {
  const mappings = new Map<string, Mapping>()
  const warnings: string[] = []
  for (const path of paths) {
    try {
      mappings.set(path, stack.use(openMapping(path)))
    } catch (error) {
      if (!(error instanceof SymbolsError)) throw error
      warnings.push(`A mapping cannot be used. ${error.message}`)
    }
  }
  return { mappings, warnings }
}
