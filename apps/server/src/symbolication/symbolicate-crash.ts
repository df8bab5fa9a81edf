import { requireAt } from '@fairlead/invariant'
import { ApiError, type SymbolicateQuery, type SymbolicatedCrash } from '@fairlead/contract'
import { type ReportContents, SymbolsError, type WrittenReport } from '@fairlead/symbols'
import { requireApplication } from '../applications/find.ts'
import type { AppContext } from '../context.ts'
import { refuseWhenFull } from '../http/queue-full.ts'
import { findSymbols, type FoundSymbols } from './find-symbols.ts'
import { listBuildIdsOfNames } from './store.ts'

export interface CrashToResolve {
  /** The report in UTF-8, in the pieces in which it came. They are sent to the worker process that reads them. */
  text: readonly Uint8Array[]
  query: SymbolicateQuery
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal
}

/**
 * Resolves a crash with the symbols of an application: Apple images by their UUID, ELF libraries by their build id, an
 * Android trace by the map id that it carries, else by the query, else by the newest mapping. The content tells a
 * native crash; the application's platform decides how other text is read. Returns the pieces of a SymbolicatedCrash as
 * JSON, because writing or joining a large one would hold up other requests.
 *
 * @throws {ApiError} applicationNotFound, unreadableReport, tooManyRequests, overloaded
 */
export async function symbolicateCrash(
  context: Pick<AppContext, 'db' | 'memo' | 'blobs' | 'readers'>,
  workspaceId: number,
  applicationId: number,
  { text, query, signal }: CrashToResolve,
): Promise<Uint8Array[]> {
  const application = await requireApplication(context, workspaceId, applicationId)
  const platform = application.platform === 'ios' ? 'apple' : 'android'
  await using inspected = await context.readers.crashes
    .inspect(text, { platform, turnKey: String(workspaceId), signal })
    .catch(throwApiError)
  const { contents } = inspected
  const found = await findSymbols(context, applicationId, contents, query)
  await using open = new AsyncDisposableStack()
  const paths: OpenPaths = { lookupFiles: {}, mappingFiles: [], dartMaps: {}, sourceMaps: {} }
  const fileOf = new Map<string, number>()
  for (const { as, uuid, key, bundle, symbols_file_id: id } of found) {
    const { path } = open.use(await context.blobs.open(key))
    fileOf.set(path, id)
    if (as === 'sourceMap') paths.sourceMaps[bundle ?? ''] = path
    else if (as === 'mapping') paths.mappingFiles.push(path)
    else if (as === 'lookup') paths.lookupFiles[uuid] = path
    else paths.dartMaps[uuid.toLowerCase()] = path
  }
  const warnings = await listOtherBuilds(context, applicationId, contents, found)
  const written = await inspected.resolveToJson({ ...paths, warnings }).catch(throwApiError)
  const used = new Set([...written.usedLookupFiles, ...written.usedMappings].flatMap((path) => fileOf.get(path) ?? []))
  return addField(written, { symbolsFileIds: [...used] })
}

/** The files of symbols on this machine. */
interface OpenPaths {
  lookupFiles: Record<string, string>
  mappingFiles: string[]
  dartMaps: Record<string, string>
  sourceMaps: Record<string, string>
}

/** Adds the field that only the server knows before the closing brace of the JSON object. */
function addField({ json }: WrittenReport, field: Pick<SymbolicatedCrash, 'symbolsFileIds'>): Uint8Array[] {
  const last = requireAt(json, json.length - 1)
  const ending = Buffer.concat([last.subarray(0, -1), Buffer.from(`,${JSON.stringify(field).slice(1)}`)])
  return [...json.slice(0, -1), ending]
}

/** The endings that tools give to the debug information of a library. */
const debugEndings = ['', '.debug', '.dbg', '.sym']
const maxWarnings = 100

/** Says which builds of a library are here when its own is not. */
async function listOtherBuilds(
  { db }: Pick<AppContext, 'db'>,
  applicationId: number,
  { kind, images }: ReportContents,
  found: readonly FoundSymbols[],
): Promise<string[]> {
  if (kind !== 'native' && kind !== 'android') return []
  const known = new Set(found.map(({ uuid }) => uuid))
  const missing = images.filter(({ uuid }) => uuid !== null && !known.has(uuid.toUpperCase()))
  const names = missing.flatMap(({ name }) => debugEndings.map((ending) => name + ending))
  const others = names.length === 0 ? [] : await listBuildIdsOfNames(db, applicationId, [...new Set(names)])
  return missing.slice(0, maxWarnings).flatMap(({ name, codeId }) => {
    const other = others.filter((image) => debugEndings.some((ending) => image.name === name + ending))
    const ids = [...new Set(other.map(({ code_id }) => code_id))].slice(0, 3)
    return ids.length === 0
      ? []
      : `${name}: the build id ${codeId} is not here; ${ids.join(', ')} ${ids.length === 1 ? 'is' : 'are'}`
  })
}

function throwApiError(error: unknown): never {
  if (!(error instanceof SymbolsError)) return refuseWhenFull(error)
  throw new ApiError('unreadableReport', { detail: error.message, cause: error })
}
