import { invariant } from '@fairlead/invariant'

/** Reads a stream of bytes piece by piece. The type of Node's streams leaves open what they give. */
export async function* readPieces(stream: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  for await (const piece of stream) {
    invariant(Buffer.isBuffer(piece), 'a stream of bytes gives buffers')
    yield piece
  }
}
