import { Disposables } from './disposables.ts'
import { type Mapping, openMapping } from './android/index/mapping.ts'
import { detectAndroidForm } from './android/report/report-form.ts'
import { retrace } from './android/retrace/retrace.ts'
import { listLibraries, listPlaces, resolveFrames } from './native/resolve-frames.ts'
import type { ThreadDump } from './native/thread-dump.ts'
import type { MissingSymbols, SymbolicatedReport } from './symbolicated.ts'
import { SymbolsError } from './symbols-error.ts'
import type { SymbolsSource } from './symbols-source.ts'

/** The libraries of the frames of native code. Those of the system are left out, because nobody has their symbols. */
export function listDumpLibraries({ frames, architecture }: ThreadDump): MissingSymbols[] {
  const ofApp = [...frames.values()].filter(({ path }) => path.startsWith('/data/') || path.startsWith('/mnt/'))
  return listLibraries(ofApp, architecture)
}

/**
 * Restores an Android trace or log with the mappings that `findMapping` gives, and the frames of native code of a dump
 * of threads with the libraries that `findImage` gives.
 * Rejects with `unknown-report` when the text holds no frame and no exception.
 */
export async function retraceReport(
  text: string,
  mapId: string | null,
  dump: ThreadDump,
  { findMapping, findImage }: Pick<SymbolsSource, 'findMapping' | 'findImage'>,
): Promise<SymbolicatedReport> {
  const found = await findMapping({ mapId })
  const paths = typeof found === 'string' ? [found] : [...(found ?? [])]
  const native = await resolveFrames([...dump.frames.values()], listDumpLibraries(dump), findImage)
  const nativeLines = new Map(
    [...native.resolved].map(([frame, frames]) => [frame.raw, { frames, places: listPlaces(frame, frames) }]),
  )
  using stack = new Disposables()
  const { mappings, warnings } = openMappings(paths, stack)
  const retraced = retrace(text, [...mappings.values()], { nativeLines })
  const hasJava = retraced.threads.some(({ frames }) => frames.some(({ module }) => module === null))
  if (!hasJava) {
    if (detectAndroidForm(text) === undefined) {
      throw new SymbolsError('unknown-report', 'It holds no stack trace of Java or Kotlin.')
    }
    warnings.push('The report holds no frame of Java or Kotlin, so no line of source could be found.')
  } else if (paths.length === 0) {
    warnings.push(mapId === null ? 'There is no mapping for this trace.' : `There is no mapping with the id ${mapId}.`)
  }
  return {
    kind: 'android',
    text: retraced.text,
    threads: retraced.threads,
    missingSymbols: native.missing,
    usedImages: native.used,
    usedMappings: [...mappings.keys()],
    warnings: [...warnings, ...native.warnings, ...retraced.warnings],
  }
}

function openMappings(paths: readonly string[], stack: Disposables) {
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
