import { BinaryError, type ByteSource, openFile } from '@fairlead/binary'
import { closeSync, openSync, readSync } from 'node:fs'
import { SymbolsError } from '../symbols-error.ts'

/**
 * A file that is read at random offsets. Large parts are read into memory that the caller already has, because there
 * are many reads and little memory.
 */
export interface FileBytes extends ByteSource {
  /** Fills `target` with the bytes from `offset` on. The range must lie within `size`. */
  readInto(target: Uint8Array, offset: number): void
}

/** Throws `unreadable`. */
export function openFileBytes(path: string): FileBytes {
  let descriptor: number | undefined
  try {
    descriptor = openSync(path, 'r')
    const open = descriptor
    const source = openFile(open)
    return {
      size: source.size,
      read: (offset, length) => source.read(offset, length),
      readInto: (target, offset) => fill(open, target, offset),
      [Symbol.dispose]: () => closeSync(open),
    }
  } catch (cause) {
    if (descriptor !== undefined) closeSync(descriptor)
    const detail = cause instanceof BinaryError ? cause.detail : readErrorCode(cause)
    throw new SymbolsError('unreadable', detail, { cause })
  }
}

/** Returns the code of an error of the system, such as ENOENT. */
function readErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

function fill(descriptor: number, target: Uint8Array, offset: number): void {
  for (let filled = 0; filled < target.length;) {
    const count = readSync(descriptor, target, filled, target.length - filled, offset + filled)
    if (count === 0) throw new SymbolsError('unreadable', 'The file became shorter while it was read.')
    filled += count
  }
}
