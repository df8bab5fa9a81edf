/**
 * Resumable uploads of builds by the tus protocol 1.0 (tus.io/protocols/resumable-upload) with the
 * extensions creation, creation-with-upload, checksum, expiration and termination. See decision 015.
 */
import { ApiError, Build } from '@fairlead/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { continueUpload } from '../http/continue-upload.ts'
import { createHangUpSignal } from '../http/hang-up-signal.ts'
import { leaveBodyUnread } from '../http/parse-json.ts'
import { appendToUpload, type Appended } from './append.ts'
import { createUpload } from './create.ts'
import { deleteUploadWithParts } from './expire.ts'
import { requireUpload } from './find.ts'
import {
  checkMediaType,
  checkTusVersion,
  prefersBuild,
  readChecksum,
  readNewUpload,
  requireOffset,
  tusAlgorithms,
  tusExtensions,
  tusVersion,
} from './headers.ts'
import { createRunningRequests } from './running-requests.ts'

const path = '/v2/uploads/:uploadId'
const tags = ['Builds']
const params = z.object({
  uploadId: z
    .string()
    .max(100)
    .meta({ examples: ['Hn6Cm3Yd5Sf0Pg7Ae2Ui4O'] }),
})
const version = { required: true, description: `\`${tusVersion}\``, example: tusVersion }
const prefer = {
  description: '`return=representation` asks for the build as the body of the last answer',
  example: 'return=representation',
}
const description =
  'Speaks tus 1.0. The answer has the header `Upload-Offset`, and `X-Service-Build-Id` when there is a build.'

/** These routes need their own scope, in which no body is parsed. */
export function addUploadRoutes(app: App, context: AppContext): void {
  const running = createRunningRequests()
  leaveBodyUnread(app)
  app.addHook('onRequest', async (request) => {
    // Most requests only add bytes; the one that makes the build is what the audit log records.
    request.isUnrecorded = true
  })
  app.addHook('onSend', async (_request, reply) => {
    reply.header('tus-resumable', tusVersion).header('cache-control', 'no-store')
  })

  const append = async (request: FastifyRequest, reply: FastifyReply, id: string, offset: number) =>
    appendToUpload(context, running, request.caller, id, {
      offset,
      body: continueUpload(request, reply, context.config.maxUploadBytes),
      checksum: readChecksum(request.headers),
      cut: () => request.raw.destroy(),
      signal: createHangUpSignal(reply),
    })

  const appendAtOffset = async (request: FastifyRequest, reply: FastifyReply, id: string) => {
    await requireUpload(context.db, request.caller, id)
    checkTusVersion(request.headers)
    checkMediaType(request.headers)
    const appended = await append(request, reply, id, requireOffset(request.headers))
    return answer(request, describe(reply, appended), appended, 204)
  }

  const discard = async (request: FastifyRequest, reply: FastifyReply, id: string) => {
    await requireUpload(context.db, request.caller, id)
    checkTusVersion(request.headers)
    await running.end(id)
    await deleteUploadWithParts(context, id)
    return reply.code(204).send()
  }

  app.options('/v2/uploads', { config: { role: 'developer' }, schema: { hide: true } }, (_request, reply) =>
    reply
      .code(204)
      .headers({
        'tus-version': tusVersion,
        'tus-extension': tusExtensions,
        'tus-max-size': String(context.config.maxUploadBytes),
        'tus-checksum-algorithm': tusAlgorithms,
      })
      .send(),
  )

  app.post(
    '/v2/uploads',
    {
      config: {
        role: 'developer',
        // Only the request that makes the build is recorded.
        action: 'build.upload',
        takes: {
          types: ['application/offset+octet-stream'],
          description: 'Empty, or the first bytes of the file',
          headers: {
            'Tus-Resumable': version,
            'Upload-Length': { required: true, description: 'Bytes of the whole file', example: '41943040' },
            'X-Service-Application-Alias': {
              description: 'Alias of the target application, unless it is `alias` in the metadata',
              example: 'lighthouse',
            },
            'Upload-Metadata': {
              description: 'May hold `alias`, `filename`, `branch`, `commit` and `ciUrl`',
              example: 'alias bGlnaHRob3VzZQ==,filename bGlnaHRob3VzZS5hcGs=',
            },
            'X-Service-Branch': { description: 'Shown as `source.branch`', example: 'main' },
            'X-Service-Commit': {
              description: 'Shown as `source.commit`',
              example: '9c1e0f4b7d2a6853e1f0c9b8a7d6e5f4c3b2a190',
            },
            'X-Service-CI-Url': {
              description: 'Shown as `source.ciUrl`',
              example: 'https://ci.example.com/lighthouse/runs/9317',
            },
            'Content-Disposition': {
              description: 'Its `filename` names the file',
              example: 'attachment; filename="lighthouse-2.4.0.apk"',
            },
            'Idempotency-Key': {
              description: 'The upload gets the build that the key made before',
              example: '0f8d3c52-6b71-4a9e-8c04-d1e2f3a4b5c6',
            },
            Prefer: prefer,
          },
        },
      },
      schema: {
        tags,
        summary: 'Start a resumable upload',
        description: `${description} The header \`Location\` is the address of the upload.`,
        response: { 201: z.union([Build, z.undefined()]) },
      },
    },
    async (request, reply) => {
      checkTusVersion(request.headers)
      const hasBody = request.headers['transfer-encoding'] !== undefined || isLong(request.headers['content-length'])
      if (hasBody) checkMediaType(request.headers)
      const upload = await createUpload(context, request.caller, readNewUpload(request.headers))
      reply.header('location', `${new URL(context.config.baseUrl).pathname.replace(/\/$/, '')}/v2/uploads/${upload.id}`)
      const appended = hasBody ? await append(request, reply, upload.id, 0) : { upload, build: null }
      return answer(request, describe(reply, appended), appended, 201)
    },
  )

  app.head(
    path,
    {
      config: { role: 'developer', swagger: { exposeHeadRoute: true } },
      schema: {
        tags,
        summary: 'Get the offset of a resumable upload',
        description,
        params,
        response: { 200: z.undefined() },
      },
    },
    async (request, reply) => {
      const { uploadId } = request.params
      await requireUpload(context.db, request.caller, uploadId)
      checkTusVersion(request.headers)
      await running.end(uploadId)
      const upload = await requireUpload(context.db, request.caller, uploadId)
      describe(reply, { upload, build: null })
      if (upload.build_id !== null) reply.header('x-service-build-id', String(upload.build_id))
      return reply.header('upload-length', String(upload.length)).code(200).send()
    },
  )

  app.patch(
    path,
    {
      config: {
        role: 'developer',
        action: 'build.upload',
        takes: {
          types: ['application/offset+octet-stream'],
          description: 'Bytes of the file from the offset on',
          headers: {
            'Tus-Resumable': version,
            'Upload-Offset': { required: true, description: 'The offset that the bytes begin at', example: '16777216' },
            'Upload-Checksum': {
              description: '`sha1` or `sha256`, a space, and the digest in Base64',
              example: 'sha256 n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=',
            },
            Prefer: prefer,
          },
        },
      },
      schema: {
        tags,
        summary: 'Add bytes to a resumable upload',
        description: `${description} The last bytes make the build.`,
        params,
        response: { 201: Build, 204: z.undefined() },
      },
    },
    (request, reply) => appendAtOffset(request, reply, request.params.uploadId),
  )

  app.delete(
    path,
    {
      config: { role: 'developer', action: null },
      schema: { tags, summary: 'Discard a resumable upload', params, response: { 204: z.undefined() } },
    },
    (request, reply) => discard(request, reply, request.params.uploadId),
  )

  // The protocol lets clients whose environment knows only GET and POST name the method in a header.
  app.post(
    path,
    { config: { role: 'developer', action: 'build.upload' }, schema: { hide: true, params } },
    async (request, reply) => {
      const method = String(request.headers['x-http-method-override'] ?? '').toUpperCase()
      if (method === 'PATCH') return appendAtOffset(request, reply, request.params.uploadId)
      if (method === 'DELETE') return discard(request, reply, request.params.uploadId)
      throw new ApiError('methodNotAllowed')
    },
  )
}

function isLong(contentLength: string | undefined): boolean {
  return Number(contentLength ?? 0) > 0
}

function describe(reply: FastifyReply, { upload, build }: Appended): FastifyReply {
  if (build) reply.header('x-service-build-id', String(build.id))
  return reply.headers({
    'upload-offset': String(upload.received),
    'upload-expires': new Date(upload.expires_at).toUTCString(),
  })
}

/** The protocol wants an empty answer; the build is sent to those who ask for it. */
function answer(request: FastifyRequest, reply: FastifyReply, { build }: Appended, status: 201 | 204): FastifyReply {
  if (!build) return reply.code(status).send()
  request.auditedAnswer = build
  request.isUnrecorded = false
  if (prefersBuild(request.headers))
    return reply.code(201).header('preference-applied', 'return=representation').send(build)
  return reply.code(status).send()
}
