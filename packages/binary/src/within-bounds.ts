import { BinaryError, type BinaryErrorCode } from './binary-error.ts'

/**
 * Runs a parser over a Buffer. Node checks the bounds of every read; a read past the end leaves here as a BinaryError
 * of the format's code. Every other error passes through.
 */
export function withinBounds<T>(code: BinaryErrorCode, parse: () => T): T {
  try {
    return parse()
  } catch (cause) {
    if (cause instanceof RangeError) throw new BinaryError(code, 'It breaks off.', { cause })
    throw cause
  }
}
