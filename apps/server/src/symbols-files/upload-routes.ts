import { ApiError } from '@fairlead/contract'
import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { toBundleName, toDebugIdText } from '@fairlead/symbols'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { continueUpload } from '../http/continue-upload.ts'
import { createHangUpSignal } from '../http/hang-up-signal.ts'
import { findHeader, readFileName, requireHeader } from '../http/request-headers.ts'
import type { SymbolsIndexer } from './symbols-indexer.ts'
import type { ToldColumns, ToldKind } from './symbols-kinds.ts'
import { uploadSymbols } from './upload.ts'

const mappingOnly = 'for a mapping'

/** Registered in the scope without body parsers, because the verb streams the body. */
export function addSymbolsUploadRoutes(app: App, context: AppContext, indexer: SymbolsIndexer): void {
  app.post(
    '/v2/symbolsFiles',
    {
      config: {
        role: 'developer',
        action: 'symbolsFile.upload',
        takes: {
          types: ['text/plain', 'application/zip', 'application/octet-stream'],
          description:
            'A mapping.txt, a zip of dSYMs, an ELF file or a zip of ELF files, source maps; the bytes decide which',
          headers: {
            'X-Service-Application-Alias': {
              required: true,
              description: 'Alias of the target application',
              example: 'lighthouse',
            },
            'X-Service-Package': {
              description: `Package name; required ${mappingOnly}`,
              example: 'com.example.lighthouse',
            },
            'X-Service-Version-Name': { description: `Version name; required ${mappingOnly}`, example: '2.4.0' },
            'X-Service-Version-Code': { description: `Version code; required ${mappingOnly}`, example: '412' },
            'X-Service-Bundle-Name': {
              description: 'Name of the bundle that a source map is of',
              example: 'index.android.bundle',
            },
            'X-Service-Debug-Id': {
              description: 'Debug id of the bundle that a source map is of',
              example: '40ff7f9c-c75d-310e-3eb5-759c061f3399',
            },
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
        index: (file, folder) => indexer.index(file, folder, { workspaceId: request.caller.workspaceId, signal }),
        alias: requireHeader(headers, 'X-Service-Application-Alias'),
        body: continueUpload(request, reply, context.config.maxUploadBytes),
        fileName: readFileName(headers) ?? undefined,
        describe: (kind) => readToldColumns(kind, headers),
      })
      return reply.code(201).send()
    },
  )
}

/** @throws {ApiError} invalidRequest naming a header that the kind requires */
function readToldColumns(kind: ToldKind, headers: IncomingHttpHeaders): ToldColumns {
  if (kind === 'proguard') {
    return {
      bundleIdentifier: requireHeader(headers, 'X-Service-Package'),
      shortVersion: requireHeader(headers, 'X-Service-Version-Name'),
      version: requireHeader(headers, 'X-Service-Version-Code'),
    }
  }
  return {
    bundleIdentifier: findHeader(headers, 'X-Service-Package'),
    shortVersion: findHeader(headers, 'X-Service-Version-Name'),
    version: findHeader(headers, 'X-Service-Version-Code'),
    debugId: readDebugIdHeader(kind, headers),
    bundleName: toBundleName(findHeader(headers, 'X-Service-Bundle-Name') ?? ''),
  }
}

function readDebugIdHeader(kind: ToldKind, headers: IncomingHttpHeaders): string | null {
  const name = 'X-Service-Debug-Id'
  const value = kind === 'dartmap' ? requireHeader(headers, name) : findHeader(headers, name)
  if (value === null) return null
  const debugId = toDebugIdText(value)
  if (debugId !== null) return debugId
  throw new ApiError('invalidRequest', { faults: [{ source: name, detail: 'is no debug id' }] })
}
