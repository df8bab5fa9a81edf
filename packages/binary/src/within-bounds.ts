import { BinaryError, type BinaryErrorCode } from './binary-error.ts'

/**
 * Runs a parser over a Buffer. Node checks the bounds of every read, and the RangeError of a read past the end is
 * converted to a BinaryError with the format's code. Other errors are rethrown.
 */
export function withinBounds<T>(code: BinaryErrorCode, parse: () => T): T {
  try {
    return parse()
  } catch (cause) {
    if (cause instanceof RangeError) throw new BinaryError(code, 'It is truncated or has a wrong length.', { cause })
    throw cause
  }
}
