import { ApiError, type Role, roles } from '@fairlead/contract'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { findTokenCaller } from '../api-tokens/find-caller.ts'
import { requireApplicationByAlias } from '../applications/find.ts'
import type { AppContext } from '../context.ts'
import { createBodySlots, readBody } from '../crash-intake/read-body.ts'
import type { App } from '../http/app.ts'
import { continueUpload } from '../http/continue-upload.ts'
import { createHangUpSignal } from '../http/hang-up-signal.ts'
import { keepChunk } from '../symbols-files/chunks.ts'
import type { SymbolsIndexer } from '../symbols-files/symbols-indexer.ts'
import { type AssembleState, createAssembler } from './assemble.ts'
import { chunkBytes, maxChunks, maxRequestBytes } from './limits.ts'
import { parseChunks } from './multipart.ts'

const Sha1 = z
  .string()
  .regex(/^[0-9a-fA-F]{40}$/)
  .toLowerCase()

/** The most files of one request, and the most chunks of one file. */
const maxFiles = 1000
const maxFileChunks = 4096

const Files = z
  .record(
    Sha1,
    z.object({
      name: z.string().max(1000).default(''),
      debug_id: z
        .string()
        .regex(/^[0-9a-fA-F-]{32,45}$/)
        .nullish(),
      chunks: z.array(Sha1).max(maxFileChunks),
    }),
  )
  .refine((files) => Object.keys(files).length <= maxFiles, `must be at most ${maxFiles} files`)

/** The most bodies that are in memory at a time. */
const bodySlots = 2

/** The endpoints that sentry-cli uploads symbols to, with an API token in its `Authorization` header. */
export function addSentryCliRoutes(app: App, context: AppContext, indexer: SymbolsIndexer): void {
  const slots = createBodySlots(bodySlots)
  const assembler = createAssembler(context, indexer)
  app.addHook('onRequest', async (request) => {
    request.caller = await requireCaller(context, request, 'developer')
  })

  for (const path of [
    '/api/0/organizations/:organization/chunk-upload/',
    '/api/0/organizations/:organization/chunk-upload',
  ]) {
    app.get(path, { schema: { hide: true } }, ({ params }) => {
      const { organization } = params as { organization: string }
      return {
        url: `${context.config.baseUrl}/api/0/organizations/${encodeURIComponent(organization)}/chunk-upload/`,
        chunkSize: chunkBytes,
        chunksPerRequest: maxChunks,
        maxFileSize: context.config.maxUploadBytes,
        maxRequestSize: maxRequestBytes,
        concurrency: 2,
        hashAlgorithm: 'sha1',
        compression: ['gzip'],
        accept: ['debug_files', 'proguard'],
      }
    })

    app.post(path, { schema: { hide: true } }, async (request, reply) => {
      using body = await readBody(continueUpload(request, reply, maxRequestBytes + 2 ** 20).open(), slots)
      const chunks = parseChunks(body.bytes, request.headers['content-type'] ?? '')
      for (const { sha1, bytes } of chunks) await keepChunk(context, request.caller.workspaceId, sha1, bytes)
      return reply.code(200).send({})
    })
  }

  for (const path of [
    '/api/0/projects/:organization/:alias/files/difs/assemble/',
    '/api/0/projects/:organization/:alias/files/difs/assemble',
  ]) {
    app.post(path, { schema: { hide: true } }, async (request, reply) => {
      using body = await readBody(continueUpload(request, reply, maxRequestBytes).open(), slots)
      const files = parseFiles(body.bytes)
      const { alias } = request.params as { alias: string }
      const application = await requireApplicationByAlias(context, request.caller.workspaceId, alias)
      const signal = createHangUpSignal(reply)
      const by = { caller: request.caller, application, signal }
      const states: Record<string, AssembleState> = {}
      for (const [sha1, { name, debug_id: debugId, chunks }] of Object.entries(files)) {
        const file = { sha1, name, debugId: debugId ?? undefined, chunks }
        states[sha1] = await assembler.assemble(by, file)
      }
      return states
    })
  }
}

function parseFiles(bytes: Buffer): z.infer<typeof Files> {
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8'))
  } catch (cause) {
    throw new ApiError('malformedJson', { cause })
  }
  const parsed = Files.safeParse(value)
  if (parsed.success) return parsed.data
  const faults = parsed.error.issues.map(({ path, message }) => ({ source: `/${path.join('/')}`, detail: message }))
  throw new ApiError('invalidRequest', { faults: faults.slice(0, 20), cause: parsed.error })
}

async function requireCaller(context: Pick<AppContext, 'db' | 'memo'>, { headers }: FastifyRequest, needed: Role) {
  const token = /^bearer\s{1,4}(\S{1,500})$/i.exec(headers.authorization ?? '')?.[1]
  const caller = token === undefined ? undefined : await findTokenCaller(context, token)
  if (!caller) {
    throw new ApiError('unauthorized', { detail: 'The Authorization header holds no valid API token' })
  }
  if (roles.indexOf(caller.role) < roles.indexOf(needed)) throw new ApiError('forbidden')
  return caller
}
