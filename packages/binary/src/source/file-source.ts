import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { BinaryError } from '../binary-error.ts'
import type { ByteSource } from './byte-source.ts'

/**
 * Opens a file for positioned reads. A path is opened here and closed on disposal; a descriptor is left open.
 *
 * @throws BinaryError `unreadable`.
 */
export function openFile(file: string | number): ByteSource {
  const descriptor = typeof file === 'number' ? file : open(file)
  const close = () => {
    if (typeof file === 'string') closeSync(descriptor)
  }
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile()) throw new BinaryError('unreadable', 'It is not a regular file.')
    return {
      size: stats.size,
      read(offset, length, reuse) {
        const bytes = reuse && reuse.length >= length ? reuse.subarray(0, length) : Buffer.allocUnsafe(length)
        return readFully(descriptor, offset, bytes)
      },
      [Symbol.dispose]: close,
    }
  } catch (error) {
    close()
    throw error
  }
}

function open(path: string): number {
  try {
    return openSync(path, 'r')
  } catch (cause) {
    throw new BinaryError('unreadable', readErrorCode(cause), { cause })
  }
}

function readFully(descriptor: number, offset: number, bytes: Buffer): Buffer {
  let filled = 0
  while (filled < bytes.length) {
    const count = readOnce(descriptor, bytes, filled, offset + filled)
    if (count === 0) throw new BinaryError('unreadable', 'The file became shorter while it was read.')
    filled += count
  }
  return bytes
}

function readOnce(descriptor: number, bytes: Buffer, filled: number, position: number): number {
  try {
    return readSync(descriptor, bytes, filled, bytes.length - filled, position)
  } catch (cause) {
    throw new BinaryError('unreadable', readErrorCode(cause), { cause })
  }
}

/** The code of an error of the operating system, such as `ENOENT`. */
function readErrorCode(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : ''
}
