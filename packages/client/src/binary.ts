import type { CallOptions, Connection } from './connection.ts'

/** The headers with which the server describes the binary of a build before it sends it. */
export interface Binary {
  /** Bytes of the whole file. */
  size: number
  /** The entity tag (ETag), which changes with the bytes; quoted, as in the header. */
  etag: string | null
}

export interface OpenBinary extends Binary {
  /** Offset of the first byte of `body`: the requested one, or 0 if the server sends the whole file. */
  start: number
  body: ReadableStream<Uint8Array>
}

export interface OpenBinaryOptions extends CallOptions {
  /** Number of bytes to skip at the start, to resume an interrupted download. */
  start?: number | undefined
  /** The entity tag of the bytes received so far. If the file has changed since, the server sends all of it. */
  ifRange?: string | undefined
}

export async function getBinary(connection: Connection, id: number, options?: CallOptions): Promise<Binary> {
  const response = await connection.open('HEAD', `/v1/builds/${id}/binary`, { ...options, isDownload: true })
  return { size: Number(response.headers.get('Content-Length')), etag: response.headers.get('ETag') }
}

export async function openBinary(
  connection: Connection,
  id: number,
  { start = 0, ifRange, ...options }: OpenBinaryOptions = {},
): Promise<OpenBinary> {
  const headers = {
    ...(start > 0 && { Range: `bytes=${start}-` }),
    ...(ifRange !== undefined && { 'If-Range': ifRange }),
  }
  const response = await connection.open('GET', `/v1/builds/${id}/binary`, { headers, ...options, isDownload: true })
  const from = response.status === 206 ? start : 0
  return {
    start: from,
    size: from + Number(response.headers.get('Content-Length')),
    etag: response.headers.get('ETag'),
    body: response.body ?? new Blob([]).stream(),
  }
}
