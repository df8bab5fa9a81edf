import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** Answers with a JSON array that is written while its slices are read: its length does not show in memory. */
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

/** Answers with JSON that is text already. */
export function sendJsonText(reply: FastifyReply, text: string): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(text)
}
