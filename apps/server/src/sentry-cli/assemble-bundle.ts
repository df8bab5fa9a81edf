import { ApiError } from '@fairlead/contract'
import { splitRelease } from '@fairlead/crashes'
import { requireApplicationByAlias } from '../applications/find.ts'
import type { AppContext } from '../context.ts'
import type { Caller } from '../http/caller.ts'
import { findChunks } from '../symbols-files/chunks.ts'
import type { SymbolsIndexer } from '../symbols-files/symbols-indexer.ts'
import { uploadSymbols } from '../symbols-files/upload.ts'
import { toUploadBody } from './chunk-bytes.ts'
import { explainFailure } from './explain-failure.ts'

/** An artifact bundle: source maps and the bundles that they are of. */
export interface BundleRequest {
  /** The SHA-1 of the whole file. */
  checksum: string
  chunks: string[]
  /** Aliases of the applications that it is for. */
  projects: string[]
  /** The release, as Sentry's tools write it. */
  version?: string | null | undefined
  /** The build of the release. */
  dist?: string | null | undefined
}

export interface BundleState {
  state: 'not_found' | 'assembling' | 'ok' | 'error'
  missingChunks: string[]
  detail: string | null
}

export interface BundleCaller {
  caller: Caller
  /** Aborted when the client has disconnected. */
  signal: AbortSignal
}

export type BundleAssembler = (by: BundleCaller, bundle: BundleRequest) => Promise<BundleState>

/**
 * Puts chunks together and stores the source maps in them for each application.
 *
 * @throws {ApiError} clientClosed, overloaded
 */
export function createBundleAssembler(context: AppContext, indexer: SymbolsIndexer): BundleAssembler {
  /** Bundles that another request is assembling. */
  const running = new Set<string>()
  return async ({ caller, signal }, { checksum, chunks, projects, version, dist }) => {
    const stored = await findChunks(context, caller.workspaceId, chunks)
    const missingChunks = [...new Set(chunks)].filter((sha1) => !stored.has(sha1))
    if (missingChunks.length > 0 || chunks.length === 0) return { state: 'not_found', missingChunks, detail: null }
    const key = JSON.stringify([caller.workspaceId, checksum, projects, version, dist])
    if (running.has(key)) return { state: 'assembling', missingChunks: [], detail: null }
    running.add(key)
    try {
      // An unknown alias is named before anything is stored for the others.
      for (const alias of projects) await requireProject(context, caller, alias)
      const release = splitRelease(version)
      const columns = {
        bundleIdentifier: release.package,
        shortVersion: release.shortVersion,
        version: dist ?? release.version,
      }
      for (const alias of projects) {
        await uploadSymbols(context, caller, {
          alias,
          body: toUploadBody(context, checksum, chunks, stored),
          index: (file, folder) => indexer.index(file, folder, { workspaceId: caller.workspaceId, signal }),
          describe: () => columns,
        })
      }
      return { state: 'ok', missingChunks: [], detail: null }
    } catch (thrown) {
      return { state: 'error', missingChunks: [], detail: explainFailure(context, thrown) }
    } finally {
      running.delete(key)
    }
  }
}

async function requireProject(context: AppContext, { workspaceId }: Caller, alias: string): Promise<void> {
  try {
    await requireApplicationByAlias(context, workspaceId, alias)
  } catch (cause) {
    if (!(cause instanceof ApiError) || cause.code !== 'aliasNotFound') throw cause
    throw new ApiError('aliasNotFound', { detail: `There is no application with the alias ${alias}`, cause })
  }
}
