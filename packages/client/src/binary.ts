import type { CallOptions, Connection } from './connection.ts'

/** The headers with which the server describes the binary of a build before it sends it. */
export interface Binary {
  /** Bytes of the whole file. */
  size: number
  /** Changes with the bytes; quoted, as in the header. */
  etag: string | null
}

export interface OpenBinary extends Binary {
  /** From which byte on `body` goes: as asked for, or 0 when the server sends the whole. */
  start: number
  body: ReadableStream<Uint8Array>
}

export interface OpenBinaryOptions extends CallOptions {
  /** Leaves out that many bytes at the beginning, to go on with a download that broke. */
  start?: number | undefined
  /** The entity tag of the first part. When the file has become another one, it comes as a whole. */
  ifRange?: string | undefined
}

export async function getBinary(connection: Connection, id: number, options?: CallOptions): Promise<Binary> {
  const response = await connection.open('HEAD', `/v1/builds/${id}/binary`, options)
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
  const response = await connection.open('GET', `/v1/builds/${id}/binary`, { headers, ...options })
  const from = response.status === 206 ? start : 0
  return {
    start: from,
    size: from + Number(response.headers.get('Content-Length')),
    etag: response.headers.get('ETag'),
    body: response.body ?? new Blob([]).stream(),
  }
}
