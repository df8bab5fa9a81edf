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

/** Answers with text, or its bytes in UTF-8, that is already JSON. */
export function sendJsonText(reply: FastifyReply, text: string | Buffer): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(text)
}
