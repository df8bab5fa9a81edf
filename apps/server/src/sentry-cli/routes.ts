import { ApiError } from '@fairlead/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { requireApplicationByAlias } from '../applications/find.ts'
import { recordActions } from '../audit/record.ts'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { createBodySlots } from '../http/body-slots.ts'
import { continueUpload } from '../http/continue-upload.ts'
import { createHangUpSignal } from '../http/hang-up-signal.ts'
import { type ReadBody, readBody } from '../http/read-body.ts'
import { toNetwork } from '../passwords/network.ts'
import { keepChunk } from '../symbols-files/chunks.ts'
import type { SymbolsIndexer } from '../symbols-files/symbols-indexer.ts'
import { type AssembleState, createAssembler } from './assemble.ts'
import { type BundleAssembler, createBundleAssembler } from './assemble-bundle.ts'
import { requireCaller } from './authorize.ts'
import { chunkBytes, maxChunks, maxRequestBytes } from './limits.ts'
import { parseChunks } from './multipart.ts'
import { parseBody } from './release-bodies.ts'

const Sha1 = z
  .string()
  .regex(/^[0-9a-fA-F]{40}$/)
  .toLowerCase()

/** The most files of one request, and the most chunks of one file. */
const maxFiles = 1000
const maxFileChunks = 4096
/** The most chunks that all files of one request name, and the most bytes of the request. */
const maxNames = 20_000
const maxAssembleBytes = 2 * 2 ** 20

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
  .refine(
    (files) => Object.values(files).reduce((sum, { chunks }) => sum + chunks.length, 0) <= maxNames,
    `must name at most ${maxNames} chunks`,
  )

const Bundle = z.object({
  checksum: Sha1,
  chunks: z.array(Sha1).max(maxFileChunks),
  projects: z.array(z.string().min(1).max(200)).min(1).max(20),
  version: z.string().max(500).nullish(),
  dist: z.string().max(200).nullish(),
})

/** The most large bodies that are in memory at a time. */
const largeBodies = 3

type OpenBody = (request: FastifyRequest, reply: FastifyReply, maxBytes: number) => Promise<ReadBody>

/** The endpoints that sentry-cli uploads symbols to, with an API token in its `Authorization` header. */
export function addSentryCliRoutes(app: App, context: AppContext, indexer: SymbolsIndexer): void {
  const slots = createBodySlots(largeBodies)
  const openBody: OpenBody = (request, reply, maxBytes) => {
    const sender = { owner: String(request.caller.workspaceId), network: toNetwork(request.ip) }
    const source = continueUpload(request, reply, maxBytes).open()
    return readBody(source, { baseMs: context.config.bodyTimeoutMs, maxBytes, slots, sender })
  }
  const assembler = createAssembler(context, indexer)
  recordActions(app, context)
  app.addHook('onRequest', async (request) => {
    request.caller = await requireCaller(context, request, 'developer')
  })
  addBundleRoutes(app, createBundleAssembler(context, indexer), openBody)

  for (const path of [
    '/api/0/organizations/:organization/chunk-upload/',
    '/api/0/organizations/:organization/chunk-upload',
  ]) {
    app.get(path, { schema: { hide: true } }, ({ params }) => {
      const { organization } = z.object({ organization: z.string() }).parse(params)
      return {
        url: `${context.config.baseUrl}/api/0/organizations/${encodeURIComponent(organization)}/chunk-upload/`,
        chunkSize: chunkBytes,
        chunksPerRequest: maxChunks,
        maxFileSize: context.config.maxUploadBytes,
        maxRequestSize: maxRequestBytes,
        concurrency: 2,
        hashAlgorithm: 'sha1',
        compression: ['gzip'],
        accept: [
          'debug_files',
          'proguard',
          'release_files',
          'artifact_bundles',
          'artifact_bundles_v2',
          'dartsymbolmap',
        ],
      }
    })

    app.post(path, { schema: { hide: true }, config: { action: null } }, async (request, reply) => {
      using body = await openBody(request, reply, maxRequestBytes + 2 ** 20)
      const chunks = parseChunks(body.bytes, request.headers['content-type'] ?? '')
      for (const { sha1, bytes } of chunks) await keepChunk(context, request.caller.workspaceId, sha1, bytes)
      return reply.code(200).send({})
    })
  }

  for (const path of [
    '/api/0/projects/:organization/:alias/files/difs/assemble/',
    '/api/0/projects/:organization/:alias/files/difs/assemble',
  ]) {
    app.post(path, { schema: { hide: true }, config: { action: 'symbolsFile.upload' } }, async (request, reply) => {
      using body = await openBody(request, reply, maxAssembleBytes)
      const files = parseFiles(body.bytes)
      const { alias } = z.object({ alias: z.string() }).parse(request.params)
      const application = await requireApplicationByAlias(context, request.caller.workspaceId, alias)
      const signal = createHangUpSignal(reply)
      const by = { caller: request.caller, application, signal }
      const states: Record<string, AssembleState> = {}
      for (const [sha1, { name, debug_id: debugId, chunks }] of Object.entries(files)) {
        const file = { sha1, name, debugId: debugId ?? undefined, chunks }
        states[sha1] = await assembler.assemble(by, file)
      }
      // A request that only asks which chunks are missing changes nothing.
      request.isUnrecorded = !Object.values(states).some(({ state }) => state === 'ok')
      return states
    })
  }
}

function addBundleRoutes(app: App, assemble: BundleAssembler, openBody: OpenBody): void {
  for (const path of [
    '/api/0/organizations/:organization/artifactbundle/assemble/',
    '/api/0/organizations/:organization/artifactbundle/assemble',
  ]) {
    app.post(path, { schema: { hide: true }, config: { action: 'symbolsFile.upload' } }, async (request, reply) => {
      using body = await openBody(request, reply, maxAssembleBytes)
      const bundle = parseBody(Bundle, body.bytes)
      const answer = await assemble({ caller: request.caller, signal: createHangUpSignal(reply) }, bundle)
      // A request that only asks which chunks are missing changes nothing.
      request.isUnrecorded = answer.state !== 'ok'
      return answer
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
