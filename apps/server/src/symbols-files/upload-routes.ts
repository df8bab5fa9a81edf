import { TurnQueue } from '@fairlead/binary'
import { indexSymbols } from '@fairlead/symbols'
import { z } from 'zod'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { continueUpload } from '../http/continue-upload.ts'
import { createHangUpSignal } from '../http/hang-up-signal.ts'
import { refuseWhenFull } from '../http/queue-full.ts'
import { requireHeader } from '../http/request-headers.ts'
import { uploadSymbols } from './upload.ts'

/**
 * Indexing a large dSYM occupies a CPU core and hundreds of megabytes, so two run at once, and one workspace has one of
 * them at most.
 */
const slots = [1, 2]
const limits = { maxQueued: 64, maxQueuedPerKey: 16, maxRunningPerKey: 1 }

/** Milliseconds that any upload may take to be indexed, and those added for each mebibyte of it. */
const usualTimeoutMs = 60_000
const msPerMebibyte = 2000
const maxTimeoutMs = 15 * 60_000

const mappingOnly = 'for a mapping'

/** Registered in the scope without body parsers, because the verb streams the body. */
export function addSymbolsUploadRoutes(app: App, context: AppContext): void {
  const queue = new TurnQueue(slots, limits)

  app.post(
    '/v2/symbolsFiles',
    {
      config: {
        role: 'developer',
        takes: {
          types: ['text/plain', 'application/zip'],
          description: 'A mapping.txt, or a zip of dSYMs; the bytes decide which',
          headers: {
            'X-Service-Application-Alias': { required: true, description: 'Alias of the target application' },
            'X-Service-Package': { description: `Package name; required ${mappingOnly}` },
            'X-Service-Version-Name': { description: `Version name; required ${mappingOnly}` },
            'X-Service-Version-Code': { description: `Version code; required ${mappingOnly}` },
          },
        },
      },
      schema: {
        tags: ['Symbols files'],
        summary: 'Upload a symbols file',
        errors: [
          'aliasNotFound',
          'unreadableSymbols',
          'wrongSymbols',
          'quotaExceeded',
          'tooManyRequests',
          'overloaded',
          'insufficientStorage',
        ],
        response: { 201: z.undefined() },
      },
    },
    async (request, reply) => {
      const { headers } = request
      const signal = createHangUpSignal(reply)
      await uploadSymbols(context, request.caller, {
        async index({ path, size }, folder) {
          const slot = await queue.take({ key: String(request.caller.workspaceId), signal }).catch(refuseWhenFull)
          try {
            const timeoutMs = Math.min(usualTimeoutMs + (size / 2 ** 20) * msPerMebibyte, maxTimeoutMs)
            return await indexSymbols(path, folder, { signal, timeoutMs })
          } finally {
            queue.release(slot)
          }
        },
        alias: requireHeader(headers, 'X-Service-Application-Alias'),
        body: continueUpload(request, reply, context.config.maxUploadBytes),
        requireMappingHeaders: () => ({
          bundleIdentifier: requireHeader(headers, 'X-Service-Package'),
          shortVersion: requireHeader(headers, 'X-Service-Version-Name'),
          version: requireHeader(headers, 'X-Service-Version-Code'),
        }),
      })
      return reply.code(201).send()
    },
  )
}
