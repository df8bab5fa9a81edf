import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** Streams a JSON array while its slices are read, so that memory use does not grow with the list. */
export function sendJsonArray(reply: FastifyReply, slices: AsyncIterable<unknown[]>): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(Readable.from(writeArray(slices), { objectMode: false }))
}

async function* writeArray(slices: AsyncIterable<unknown[]>): AsyncGenerator<string> {
  let separator = '['
  for await (const slice of slices) {
    for (const item of slice) {
      yield separator + JSON.stringify(item)
      separator = ','
    }
  }
  yield separator === '[' ? '[]' : ']'
}

/**
 * Returns text that is already JSON, its bytes, or the pieces of them, as the answer of a route. If the route returned
 * the reply instead, Fastify would add listeners that wait for the end of the response, which an answer from memory
 * does not need. Several pieces are sent one after the other, because joining them would hold up other requests.
 */
// TypeScript infers the type at the call from the answer of the route's schema.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function toJsonAnswer<Answer>(reply: FastifyReply, json: string | Buffer | readonly Uint8Array[]): Answer {
  reply.type('application/json; charset=utf-8')
  const payload = typeof json === 'string' || Buffer.isBuffer(json) ? json : toPayload(json)
  // Fastify sends text and bytes as they are, and these are the JSON of the answer that the route's schema states.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as said above
  return payload as Answer
}

function toPayload(pieces: readonly Uint8Array[]): Buffer | Readable {
  const [only] = pieces
  if (only && pieces.length === 1) return Buffer.from(only.buffer, only.byteOffset, only.byteLength)
  return Readable.from(pieces, { objectMode: false })
}
