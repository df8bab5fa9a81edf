import { Disposables } from './disposables.ts'
import { type Mapping, openMapping } from './android/index/mapping.ts'
import { detectAndroidForm } from './android/report/report-form.ts'
import { retrace } from './android/retrace/retrace.ts'
import type { SymbolicatedReport } from './symbolicated.ts'
import { SymbolsError } from './symbols-error.ts'
import type { FindMapping } from './symbols-source.ts'

/**
 * Restores an Android trace or log with the mappings that `findMapping` gives.
 * Rejects with `unknown-report` when the text holds no frame and no exception.
 */
export async function retraceReport(
  text: string,
  mapId: string | null,
  findMapping: FindMapping,
): Promise<SymbolicatedReport> {
  const found = await findMapping({ mapId })
  const paths = typeof found === 'string' ? [found] : [...(found ?? [])]
  using stack = new Disposables()
  const { mappings, warnings } = openMappings(paths, stack)
  const retraced = retrace(text, [...mappings.values()])
  if (retraced.threads.length === 0) {
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
    missingSymbols: [],
    usedImages: [],
    usedMappings: [...mappings.keys()],
    warnings: [...warnings, ...retraced.warnings],
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
