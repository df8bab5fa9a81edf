import { Readable } from 'node:stream'
import { toStorageError } from './storage-error.ts'
import { readPieces } from './byte-pieces.ts'

/**
 * Returns the bytes of a stream, and fails when none arrive for too long. The time during which nobody reads does not
 * count, so that a slow download is not ended. The timeouts of the AWS SDK cover an answer only until its body begins.
 */
export function endWhenSilent(source: Readable, silenceMs: number): Readable {
  const read = async function* () {
    let timer: NodeJS.Timeout | undefined
    const wait = () => {
      timer = setTimeout(() => source.destroy(new Error(`no byte arrived for ${silenceMs} ms`)), silenceMs)
    }
    try {
      wait()
      for await (const piece of readPieces(source)) {
        clearTimeout(timer)
        yield piece
        wait()
      }
    } catch (error) {
      throw toStorageError(error)
    } finally {
      clearTimeout(timer)
      source.destroy()
    }
  }
  return Readable.from(read(), { objectMode: false })
}
