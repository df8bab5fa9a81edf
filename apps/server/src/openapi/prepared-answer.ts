import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'

/** In the order of preference: the smaller answer is worth more than the client's own order. */
const compressions = [
  {
    encoding: 'br',
    compress: (bytes: Buffer) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  },
  { encoding: 'gzip', compress: (bytes: Buffer) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }) },
]

/** A text that is the same for everyone until the server stops. It is compressed when the first client asks for it. */
export interface PreparedAnswer {
  send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
}

export function prepareAnswer(contentType: string, create: () => string): PreparedAnswer {
  let made: { bytes: Buffer; etag: string } | undefined
  const encoded = new Map<string, Promise<Buffer>>()
  const make = () => {
    const bytes = Buffer.from(create())
    return { bytes, etag: createHash('sha256').update(bytes).digest('base64url') }
  }
  return {
    async send(request, reply) {
      made ??= make()
      const accepted = new Negotiator(request.raw).encodings(compressions.map(({ encoding }) => encoding))
      const compression = compressions.find(({ encoding }) => accepted.includes(encoding))
      // The strong ETag stands for the exact bytes, so each encoding has one of its own.
      const etag = `"${made.etag}${compression ? `-${compression.encoding}` : ''}"`
      reply.headers({ etag, vary: 'Accept-Encoding', 'cache-control': 'no-cache' })
      if (request.headers['if-none-match'] === etag) return reply.code(304).send()
      reply.type(contentType)
      if (!compression) return reply.send(made.bytes)
      const { encoding, compress } = compression
      const bytes = encoded.get(encoding) ?? compress(made.bytes)
      encoded.set(encoding, bytes)
      return reply.header('content-encoding', encoding).send(await bytes)
    },
  }
}
