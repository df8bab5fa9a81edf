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
 * Returns text that is already JSON, or its bytes, as the answer of a route. Of a route that returns the reply instead,
 * Fastify waits for the end of the response with further listeners, which an answer from memory can do without.
 */
// The type is the one that the route's schema states for its answer, so it is inferred at the call.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function toJsonAnswer<Answer>(reply: FastifyReply, json: string | Buffer): Answer {
  reply.type('application/json; charset=utf-8')
  // Fastify sends text and bytes as they are, and these are the JSON of the answer that the route's schema states.
  return json as Answer
}
