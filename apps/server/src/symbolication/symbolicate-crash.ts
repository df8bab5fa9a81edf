import { ApiError, type SymbolicateQuery, type SymbolicatedCrash } from '@fairlead/contract'
import { type ReportContents, readReportImages, SymbolsError } from '@fairlead/symbols'
import { requireApplication } from '../applications/find.ts'
import type { AppContext } from '../context.ts'
import { findImageSymbols, findMappingSymbols, type StoredSymbols } from './store.ts'

/**
 * Resolves a crash with the symbols of an application: Apple images by their UUID, an Android trace by the map id it
 * carries, else by what the query says, else by the newest mapping.
 *
 * @throws {ApiError} applicationNotFound, unreadableReport
 */
export async function symbolicateCrash(
  context: Pick<AppContext, 'db' | 'memo' | 'blobs' | 'readers'>,
  workspaceId: number,
  applicationId: number,
  text: string,
  query: SymbolicateQuery,
): Promise<SymbolicatedCrash> {
  await requireApplication(context, workspaceId, applicationId)
  const needed = await translateErrors(async () => readReportImages(text))
  const found = await findSymbols(context, applicationId, needed, query)
  await using open = new AsyncDisposableStack()
  const lookupFiles: Record<string, string> = {}
  const mappingFiles: string[] = []
  for (const symbols of found) {
    const { path } = open.use(await context.blobs.open(symbols.key))
    if (needed.kind === 'apple') lookupFiles[symbols.uuid] = path
    else mappingFiles.push(path)
  }
  const report = await translateErrors(() => context.readers.crashes.symbolicate({ text, lookupFiles, mappingFiles }))
  const used = new Set([...report.usedImages.map((image) => image.lookupFile), ...report.usedMappings])
  const pathOf = (symbols: StoredSymbols, index: number) => lookupFiles[symbols.uuid] ?? mappingFiles[index] ?? ''
  return {
    kind: report.kind,
    text: report.text,
    threads: report.threads,
    missingSymbols: report.missingSymbols,
    symbolsFileIds: [
      ...new Set(found.filter((symbols, index) => used.has(pathOf(symbols, index))).map((one) => one.symbols_file_id)),
    ],
    warnings: report.warnings,
  }
}

async function findSymbols(
  { db }: Pick<AppContext, 'db'>,
  applicationId: number,
  needed: ReportContents,
  query: SymbolicateQuery,
): Promise<StoredSymbols[]> {
  if (needed.kind === 'android') return findMappingSymbols(db, applicationId, needed.mapId, query)
  const uuids = needed.images.flatMap(({ uuid }) => (uuid === null ? [] : [uuid.toUpperCase()]))
  return findImageSymbols(db, applicationId, uuids)
}

async function translateErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof SymbolsError)) throw error
    throw new ApiError('unreadableReport', { detail: error.message, cause: error })
  }
}
