import { ApiError, type SymbolicateQuery, type SymbolicatedCrash } from '@fairlead/contract'
import { type ReportContents, SymbolsError, type WrittenReport } from '@fairlead/symbols'
import { requireApplication } from '../applications/find.ts'
import type { AppContext } from '../context.ts'
import { refuseWhenFull } from '../http/queue-full.ts'
import { findImageSymbols, findMappingSymbols, type StoredSymbols } from './store.ts'

export interface CrashToResolve {
  /** The report in UTF-8. Its bytes are moved to the thread that reads them. */
  text: Uint8Array<ArrayBuffer>
  query: SymbolicateQuery
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal
}

/**
 * Resolves a crash with the symbols of an application: Apple images by their UUID, an Android trace by the map id that
 * it carries, else by the query, else by the newest mapping. The application's platform decides how the text is read.
 * Returns a SymbolicatedCrash as JSON, because writing a large one would hold up other requests.
 *
 * @throws {ApiError} applicationNotFound, unreadableReport, tooManyRequests, overloaded
 */
export async function symbolicateCrash(
  context: Pick<AppContext, 'db' | 'memo' | 'blobs' | 'readers'>,
  workspaceId: number,
  applicationId: number,
  { text, query, signal }: CrashToResolve,
): Promise<Buffer> {
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
  const written = await inspected.resolveToJson({ lookupFiles, mappingFiles }).catch(throwApiError)
  const used = new Set([...written.usedLookupFiles, ...written.usedMappings])
  const pathOf = (symbols: StoredSymbols, index: number) => lookupFiles[symbols.uuid] ?? mappingFiles[index] ?? ''
  const usedSymbols = found.filter((symbols, index) => used.has(pathOf(symbols, index)))
  const symbolsFileIds = [...new Set(usedSymbols.map((symbols) => symbols.symbols_file_id))]
  return addField(written, { symbolsFileIds })
}

/** Adds the field that only the server knows before the closing brace of the JSON object. */
function addField({ json }: WrittenReport, field: Pick<SymbolicatedCrash, 'symbolsFileIds'>): Buffer {
  return Buffer.concat([json.subarray(0, -1), Buffer.from(`,${JSON.stringify(field).slice(1)}`)])
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

function throwApiError(error: unknown): never {
  if (!(error instanceof SymbolsError)) return refuseWhenFull(error)
  throw new ApiError('unreadableReport', { detail: error.message, cause: error })
}
