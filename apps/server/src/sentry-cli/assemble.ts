import { buffer } from 'node:stream/consumers'
import { ApiError } from '@fairlead/contract'
import { requireKey } from '@fairlead/invariant'
import { toDebugIdText } from '@fairlead/symbols'
import type { AppContext } from '../context.ts'
import type { Caller } from '../http/caller.ts'
import { toFileName } from '../http/request-headers.ts'
import { findChunks, findHeld, type HeldSymbols, rememberFile, type StoredChunk } from '../symbols-files/chunks.ts'
import type { SymbolsIndexer } from '../symbols-files/symbols-indexer.ts'
import { uploadSymbols } from '../symbols-files/upload.ts'
import { toUploadBody } from './chunk-bytes.ts'
import { explainFailure } from './explain-failure.ts'

export interface AssembleRequest {
  /** The SHA-1 of the whole file. */
  sha1: string
  name: string
  debugId: string | undefined
  chunks: string[]
}

export interface AssembleState {
  state: 'not_found' | 'created' | 'assembling' | 'ok' | 'error'
  missingChunks: string[]
  detail: string | null
  dif: object | null
}

export interface AssembleCaller {
  caller: Caller
  application: { id: number; alias: string }
  /** Aborted when the client has disconnected. */
  signal: AbortSignal
}

export interface Assembler {
  /**
   * Returns the state of a file, and assembles it once all its chunks have arrived. A file whose client disconnected,
   * or that found the queue full, is assembled at the next request for it.
   *
   * @throws {ApiError} clientClosed, overloaded
   */
  assemble(by: AssembleCaller, file: AssembleRequest): Promise<AssembleState>
}

/** Puts chunks together and stores the result as symbols. A request waits for the files that it asks for. */
export function createAssembler(context: AppContext, indexer: SymbolsIndexer): Assembler {
  /** Files that another request is assembling. */
  const running = new Set<string>()

  return {
    async assemble(by, file) {
      const debugId = findDebugId(file)
      const owner = { workspaceId: by.caller.workspaceId, applicationId: by.application.id }
      const held = await findHeld(context, owner, { sha1: file.sha1, debugId })
      if (held) return toState('ok', { dif: toDif(file, held) })
      const stored = await findChunks(context, by.caller.workspaceId, file.chunks)
      const missingChunks = [...new Set(file.chunks)].filter((sha1) => !stored.has(sha1))
      if (missingChunks.length > 0 || file.chunks.length === 0) return toState('not_found', { missingChunks })
      const key = `${by.application.id} ${file.sha1} ${file.name}`
      if (running.has(key)) return toState('assembling')
      running.add(key)
      try {
        return toState('ok', { dif: await store(context, indexer, by, { ...file, debugId }, stored) })
      } catch (thrown) {
        return toState('error', { detail: explainFailure(context, thrown) })
      } finally {
        running.delete(key)
      }
    },
  }
}

function toState(state: AssembleState['state'], rest: Partial<AssembleState> = {}): AssembleState {
  return { state, missingChunks: [], detail: null, dif: null, ...rest }
}

async function store(
  context: AppContext,
  indexer: SymbolsIndexer,
  { caller, application, signal }: AssembleCaller,
  { sha1, name, debugId, chunks }: AssembleRequest,
  stored: ReadonlyMap<string, StoredChunk>,
): Promise<object> {
  const body = toUploadBody(context, sha1, chunks, stored)
  if (await isSourceBundle(context, chunks, stored))
    return toDif({ sha1, name }, { ...unread, debugId: debugId ?? null })
  const { sha256 } = await uploadSymbols(context, caller, {
    alias: application.alias,
    body,
    index: (file, folder) => indexer.index(file, folder, { workspaceId: caller.workspaceId, signal }),
    fileName: toFileName(name) ?? undefined,
    describe: (kind) => {
      if (kind !== 'dartmap' || debugId !== undefined) {
        return { bundleIdentifier: null, shortVersion: null, version: null, debugId }
      }
      throw new ApiError('invalidRequest', { detail: 'An obfuscation map needs the debug id of its symbols' })
    },
  })
  await rememberFile(context, caller.workspaceId, { sha1, sha256 })
  const owner = { workspaceId: caller.workspaceId, applicationId: application.id }
  const held = await findHeld(context, owner, { sha1, debugId })
  return toDif({ sha1, name }, held ?? { ...unread, debugId: debugId ?? null })
}

const unread: HeldSymbols = { debugId: null, architecture: null, codeId: null }

/** The id that the client gives a file: in a field of its own, or in the name of a mapping. */
function findDebugId({ debugId, name }: Pick<AssembleRequest, 'debugId' | 'name'>): string | undefined {
  const text = debugId ?? /^\/?proguard\/([0-9a-f-]{32,36})\.txt$/i.exec(name)?.[1]
  return (text === undefined ? undefined : toDebugIdText(text)) ?? undefined
}

/** What sentry-cli is told of a file that is stored. */
function toDif({ sha1, name }: Pick<AssembleRequest, 'sha1' | 'name'>, { debugId, architecture, codeId }: HeldSymbols) {
  return {
    uuid: debugId,
    debugId,
    codeId,
    objectName: name,
    cpuName: architecture ?? 'any',
    sha1,
    data: { features: [] },
  }
}

const bundleMagic = Buffer.from('SYSB', 'latin1')

/** Whether a file is a bundle of sources, which sentry-cli sends beside symbols and which is not kept. */
async function isSourceBundle(
  { blobs }: Pick<AppContext, 'blobs'>,
  chunks: readonly string[],
  stored: ReadonlyMap<string, StoredChunk>,
): Promise<boolean> {
  const [first] = chunks
  if (first === undefined) return false
  const { key, size } = requireKey(stored, first)
  if (size < bundleMagic.length) return false
  const start = await buffer(await blobs.read(key, { start: 0, end: bundleMagic.length - 1 }))
  return start.equals(bundleMagic)
}
