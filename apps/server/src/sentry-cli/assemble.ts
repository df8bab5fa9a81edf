import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { ApiError } from '@fairlead/contract'
import { indexSymbols } from '@fairlead/symbols'
import type { AppContext } from '../context.ts'
import type { Caller } from '../http/caller.ts'
import { findChunks, findImageArchitecture } from '../symbols-files/chunks.ts'
import { uploadSymbols } from '../symbols-files/upload.ts'

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

/** Files whose result is remembered, so that sentry-cli can ask for it. */
const maxRemembered = 1000

export interface Assembler {
  /** Tells the state of a file, and starts to assemble it once all its chunks are there. */
  assemble(caller: Caller, application: { id: number; alias: string }, file: AssembleRequest): Promise<AssembleState>
}

/** Puts chunks together and stores the result as symbols; sentry-cli asks again until it is done. */
export function createAssembler(context: AppContext): Assembler {
  const states = new Map<string, AssembleState>()
  const remember = (key: string, state: AssembleState) => {
    states.delete(key)
    states.set(key, state)
    for (const oldest of states.keys()) {
      if (states.size <= maxRemembered) break
      states.delete(oldest)
    }
    return state
  }

  return {
    async assemble(caller, application, file) {
      const key = `${application.id} ${file.sha1} ${file.name}`
      const known = states.get(key)
      // A file that failed is tried again when its chunks are sent again.
      if (known && known.state !== 'error') return known
      const keys = await findChunks(context, caller.workspaceId, file.chunks)
      const missingChunks = file.chunks.filter((sha1) => !keys.has(sha1))
      if (missingChunks.length > 0 || file.chunks.length === 0) {
        states.delete(key)
        return { state: 'not_found', missingChunks, detail: null, dif: null }
      }
      if (known) return known
      remember(key, { state: 'assembling', missingChunks: [], detail: null, dif: null })
      const work = store(context, caller, application, file, keys).then(
        (dif): AssembleState => ({ state: 'ok', missingChunks: [], detail: null, dif }),
        (thrown: unknown): AssembleState => {
          // The receiver of a body wraps what its source throws.
          const isWrapped = thrown instanceof ApiError && thrown.cause instanceof ApiError
          const error = isWrapped ? thrown.cause : thrown
          const isKnown = error instanceof ApiError
          if (!isKnown) context.log.error({ err: error }, 'symbols of sentry-cli could not be assembled')
          const detail = isKnown ? error.message : 'The server failed; its log tells more'
          return { state: 'error', missingChunks: [], detail, dif: null }
        },
      )
      return remember(key, await work)
    },
  }
}

async function store(
  context: AppContext,
  caller: Caller,
  application: { id: number; alias: string },
  { sha1, name, debugId, chunks }: AssembleRequest,
  keys: ReadonlyMap<string, string>,
): Promise<object> {
  const uuid = (debugId ?? /^\/?proguard\/([0-9a-f-]{32,36})\.txt$/i.exec(name)?.[1])?.toLowerCase()
  await uploadSymbols(context, caller, {
    alias: application.alias,
    body: { size: null, open: () => Readable.from(concatenate(context, sha1, chunks, keys), { objectMode: false }) },
    index: ({ path }, folder) => indexSymbols(path, folder),
    requireMappingHeaders: () => ({ bundleIdentifier: null, shortVersion: null, version: null, debugId: uuid }),
  })
  const architecture = uuid === undefined ? null : await findImageArchitecture(context, application.id, uuid)
  return {
    uuid: uuid ?? null,
    debugId: uuid ?? null,
    objectName: name,
    cpuName: architecture ?? 'any',
    sha1,
    data: { features: [] },
  }
}

async function* concatenate(
  { blobs }: Pick<AppContext, 'blobs'>,
  sha1: string,
  chunks: readonly string[],
  keys: ReadonlyMap<string, string>,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha1')
  for (const chunk of chunks) {
    for await (const piece of await blobs.read(keys.get(chunk) ?? '')) {
      const bytes = piece as Buffer
      hash.update(bytes)
      // The receiver of a body keeps and reuses the memory of its pieces.
      yield Buffer.from(bytes)
    }
  }
  if (hash.digest('hex') !== sha1) {
    throw new ApiError('unreadableSymbols', { detail: 'The chunks do not have the SHA-1 that was announced' })
  }
}
