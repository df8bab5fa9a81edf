import type { FileHandle } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import type { ByteRange } from './blob-store.ts'

/** Bytes per read. Smaller pieces switch more often between disk and socket; larger ones measured no faster. */
const pieceSize = 2 ** 20

/**
 * Copies a range of a file to a destination with double buffering: one buffer is filled while the other is sent. The
 * buffers are reused; a read stream would allocate one per piece, and collecting those costs more than copying.
 */
export async function writeOut(file: FileHandle, destination: Writable, { start, end }: ByteRange): Promise<void> {
  const size = Math.min(pieceSize, end - start + 1)
  const buffers = [Buffer.allocUnsafeSlow(size), Buffer.allocUnsafeSlow(size)] as const
  const { promise: closed, reject } = Promise.withResolvers<never>()
  closed.catch(() => {})
  const giveUp = () => reject(new Error('the destination was closed'))
  destination.once('close', giveUp)
  try {
    let sending: Promise<void> = Promise.resolve()
    for (let at = start, turn = 0; at <= end; turn++) {
      const buffer = buffers[turn % 2 === 0 ? 0 : 1]
      const { bytesRead } = await file.read(buffer, 0, Math.min(size, end - at + 1), at)
      if (bytesRead === 0) throw new Error('the file is shorter than it was')
      await Promise.race([sending, closed])
      sending = send(destination, buffer.subarray(0, bytesRead))
      sending.catch(() => {})
      at += bytesRead
    }
    await Promise.race([sending, closed])
  } finally {
    destination.off('close', giveUp)
  }
}

function send(destination: Writable, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    destination.write(bytes, (error) => (error ? reject(error) : resolve()))
  })
}
