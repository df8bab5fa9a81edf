import type { SymbolicatedCrash, SymbolicateQuery, SymbolsFile } from '@fairlead/contract'
import type { Connection } from './connection.ts'
import { toHeaderText } from './header-text.ts'
import { upload, type UploadProgress } from './upload.ts'

export interface SymbolsUpload {
  /** Of the application the symbols are for. */
  alias: string
  file: Blob
  /** Which build a mapping is of; a zip of dSYMs says it itself. */
  mapping?: { bundleIdentifier: string; shortVersion: string; version: string } | undefined
  signal?: AbortSignal | undefined
  onProgress?: ((progress: UploadProgress) => void) | undefined
}

export function symbolsOf(connection: Connection) {
  const { request, send } = connection
  return {
    list: (applicationId: number) => request<SymbolsFile[]>('GET', `/v1/applications/${applicationId}/symbolsFiles`),
    get: (id: number) => request<SymbolsFile>('GET', `/v1/symbolsFiles/${id}`),
    remove: (id: number) => send('DELETE', `/v1/symbolsFiles/${id}`),
    upload: async (symbols: SymbolsUpload): Promise<void> => {
      await upload(connection, '/v2/symbolsFiles', { ...symbols, headers: toUploadHeaders(symbols) })
    },
    /** Reads a crash: the text of an Android trace or log, of an `.ips` or of a `.crash`. */
    symbolicate: (applicationId: number, report: string, query: SymbolicateQuery = {}) =>
      request<SymbolicatedCrash>('POST', `/v1/applications/${applicationId}/symbolicate`, { query, body: report }),
  }
}

function toUploadHeaders({ alias, mapping }: SymbolsUpload): Record<string, string> {
  return {
    'X-Service-Application-Alias': alias,
    'Content-Type': 'application/octet-stream',
    ...(mapping && {
      'X-Service-Package': toHeaderText(mapping.bundleIdentifier),
      'X-Service-Version-Name': toHeaderText(mapping.shortVersion),
      'X-Service-Version-Code': toHeaderText(mapping.version),
    }),
  }
}
