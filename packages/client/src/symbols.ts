import type { SymbolicatedCrash, SymbolicateQuery, SymbolsFile } from '@fairlead/contract'
import type { CallOptions, Connection } from './connection.ts'
import { toContentDisposition, toHeaderText } from './header-text.ts'
import { upload, type UploadOptions } from './upload.ts'

export interface SymbolsUpload extends UploadOptions {
  /** The alias of the application that the symbols are for. */
  alias: string
  /** The build that a mapping belongs to. Not needed for dSYMs, whose UUIDs identify the build. */
  mapping?: { bundleIdentifier: string; shortVersion: string; version: string } | undefined
  /** The debug id of the symbols that an obfuscation map of Dart belongs to, or of the bundle of a source map. */
  debugId?: string | undefined
  /** The name of the bundle that a source map is of. */
  bundleName?: string | undefined
  /** The name of the file, which ELF files are listed by. */
  fileName?: string | undefined
}

/** Milliseconds to wait for the answer, because a report with many images takes the server long to resolve. */
const symbolicateTimeoutMs = 5 * 60_000

export function symbolsOf(connection: Connection) {
  const { request, send } = connection
  return {
    list: (applicationId: number, options?: CallOptions) =>
      request<SymbolsFile[]>('GET', `/v1/applications/${applicationId}/symbolsFiles`, options),
    get: (id: number, options?: CallOptions) => request<SymbolsFile>('GET', `/v1/symbolsFiles/${id}`, options),
    remove: (id: number, options?: CallOptions) => send('DELETE', `/v1/symbolsFiles/${id}`, options),
    upload: async (symbols: SymbolsUpload): Promise<void> => {
      await upload(connection, '/v2/symbolsFiles', symbols, toUploadHeaders(symbols))
    },
    /**
     * Symbolicates a crash: the text of an Android trace or log, of an `.ips`, of a `.crash`, of a tombstone, or of a
     * stack of Dart or JavaScript, or the bytes of a tombstone as Protocol Buffers.
     */
    symbolicate: (applicationId: number, report: string | Blob, query: SymbolicateQuery = {}, options?: CallOptions) =>
      request<SymbolicatedCrash>('POST', `/v1/applications/${applicationId}/symbolicate`, {
        query,
        body: report,
        isRepeatable: true,
        idleTimeoutMs: symbolicateTimeoutMs,
        ...options,
      }),
  }
}

function toUploadHeaders(upload: SymbolsUpload): Record<string, string> {
  const { alias, mapping, debugId, bundleName, fileName } = upload
  return {
    'X-Service-Application-Alias': alias,
    'Content-Type': 'application/octet-stream',
    ...(mapping && {
      'X-Service-Package': toHeaderText(mapping.bundleIdentifier),
      'X-Service-Version-Name': toHeaderText(mapping.shortVersion),
      'X-Service-Version-Code': toHeaderText(mapping.version),
    }),
    ...(debugId !== undefined && { 'X-Service-Debug-Id': toHeaderText(debugId) }),
    ...(bundleName !== undefined && { 'X-Service-Bundle-Name': toHeaderText(bundleName) }),
    ...(fileName !== undefined && { 'Content-Disposition': toContentDisposition(fileName) }),
  }
}
