import { BinaryError } from './binary-error.ts'

/** For a part that the rest can do without: what is wrong with it becomes a warning. */
export function attempt<T>(what: string, fallback: T, warnings: string[], read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof BinaryError)) throw error
    warnings.push(`The ${what} could not be read: ${error.message}`)
    return fallback
  }
}
