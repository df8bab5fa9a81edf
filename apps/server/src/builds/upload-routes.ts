import { Build } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../http/app.ts'
import { continueUpload } from '../http/continue-upload.ts'
import { createHangUpSignal } from '../http/hang-up-signal.ts'
import { findHeader, readFileName, requireHeader } from '../http/request-headers.ts'
import { stageBody } from './stage-body.ts'
import { uploadBuild } from './upload.ts'

const types = ['application/vnd.android.package-archive', 'application/octet-stream']

const uploadHeaders = {
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
    description: 'A retry with the same key gets the first answer',
    example: '0f8d3c52-6b71-4a9e-8c04-d1e2f3a4b5c6',
  },
}

const uploadErrors = [
  'unreadableBinary',
  'quotaExceeded',
  'idempotencyMismatch',
  'tooManyRequests',
  'overloaded',
  'insufficientStorage',
] as const

/** Registered in the scope without body parsers, because the verb streams the body. */
export function addBuildUploadRoutes(app: App, context: AppContext): void {
  app.post(
    '/v2/builds',
    {
      config: {
        role: 'developer',
        action: 'build.upload',
        takes: {
          types,
          description: 'The raw .apk or .ipa',
          headers: {
            'X-Service-Application-Alias': {
              required: true,
              description: 'Alias of the target application',
              example: 'lighthouse',
            },
            ...uploadHeaders,
          },
        },
      },
      schema: {
        tags: ['Builds'],
        summary: 'Upload a build',
        errors: ['aliasNotFound', 'wrongPlatform', 'identifierMismatch', ...uploadErrors],
        response: { 201: Build },
      },
    },
    async (request, reply) => {
      const alias = requireHeader(request.headers, 'X-Service-Application-Alias')
      return reply.code(201).send(await receive(request, reply, alias))
    },
  )

  app.post(
    '/v1/applications/fromFile',
    {
      config: {
        role: 'admin',
        action: 'application.createFromFile',
        takes: { types, description: 'The raw .apk or .ipa', headers: uploadHeaders },
      },
      schema: {
        tags: ['Applications'],
        summary: 'Upload a build, and create its application if no other has its identifier',
        description: 'Name, alias, platform and identifier of a new application come from the file.',
        operationId: 'createApplicationFromFile',
        errors: ['aliasTaken', ...uploadErrors],
        response: { 201: Build },
      },
    },
    async (request, reply) => reply.code(201).send(await receive(request, reply, null)),
  )

  function receive(request: FastifyRequest, reply: FastifyReply, alias: string | null): Promise<Build> {
    const { headers } = request
    return uploadBuild(context, request.caller, {
      alias,
      file: stageBody(context, continueUpload(request, reply, context.config.maxUploadBytes)),
      fileName: readFileName(headers),
      source: {
        branch: findHeader(headers, 'X-Service-Branch'),
        commit: findHeader(headers, 'X-Service-Commit'),
        ciUrl: findHeader(headers, 'X-Service-CI-Url'),
      },
      idempotencyKey: findHeader(headers, 'Idempotency-Key'),
      signal: createHangUpSignal(reply),
    })
  }
}
