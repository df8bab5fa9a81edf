import { ApiError, type SymbolicateQuery, type SymbolicatedCrash } from '@fairlead/contract'
import { QueueFullError, type ReportContents, SymbolsError } from '@fairlead/symbols'
import { requireApplication } from '../applications/find.ts'
import type { AppContext } from '../context.ts'
import { findImageSymbols, findMappingSymbols, type StoredSymbols } from './store.ts'

export interface CrashToResolve {
  text: string
  query: SymbolicateQuery
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal
}

/**
 * Resolves a crash with the symbols of an application: Apple images by their UUID, an Android trace by the map id that
 * it carries, else by the query, else by the newest mapping. The application's platform decides how the text is read.
 *
 * @throws {ApiError} applicationNotFound, unreadableReport, tooManyRequests, overloaded
 */
export async function symbolicateCrash(
  context: Pick<AppContext, 'db' | 'memo' | 'blobs' | 'readers'>,
  workspaceId: number,
  applicationId: number,
  { text, query, signal }: CrashToResolve,
): Promise<SymbolicatedCrash> {
  const application = await requireApplication(context, workspaceId, applicationId)
  const platform = application.platform === 'ios' ? 'apple' : 'android'
  await using inspected = await context.readers.crashes
    .inspect(text, { platform, turnKey: String(workspaceId), signal })
    .catch(throwApiError)
  const { contents } = inspected
  const found = await findSymbols(context, applicationId, contents, query)
  await using open = new AsyncDisposableStack()
  const lookupFiles: Record<string, string> = {}
  const mappingFiles: string[] = []
  for (const symbols of found) {
    const { path } = open.use(await context.blobs.open(symbols.key))
    if (contents.kind === 'apple') lookupFiles[symbols.uuid] = path
    else mappingFiles.push(path)
  }
  const report = await inspected.resolve({ lookupFiles, mappingFiles }).catch(throwApiError)
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
  contents: ReportContents,
  query: SymbolicateQuery,
): Promise<StoredSymbols[]> {
  if (contents.kind === 'android') return findMappingSymbols(db, applicationId, contents.mapId, query)
  const uuids = contents.images.flatMap(({ uuid }) => (uuid === null ? [] : [uuid.toUpperCase()]))
  return findImageSymbols(db, applicationId, uuids)
}

/** Seconds after which a caller who found the queue full may try again; a report takes some milliseconds as a rule. */
const retryAfter = '5'

function throwApiError(error: unknown): never {
  if (error instanceof QueueFullError) {
    const code = error.full === 'key' ? 'tooManyRequests' : 'overloaded'
    throw new ApiError(code, { detail: error.message, headers: { 'retry-after': retryAfter }, cause: error })
  }
  if (!(error instanceof SymbolsError)) throw error
  throw new ApiError('unreadableReport', { detail: error.message, cause: error })
}
