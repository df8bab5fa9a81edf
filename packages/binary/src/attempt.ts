import { BinaryError } from './binary-error.ts'

/** Reads an optional part of a build: a BinaryError becomes a warning, and `fallback` is returned. */
export function attempt<T>(what: string, fallback: T, warnings: string[], read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof BinaryError)) throw error
    warnings.push(`The ${what} could not be read: ${error.message}`)
    return fallback
  }
}
