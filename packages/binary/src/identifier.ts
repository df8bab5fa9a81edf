import { BinaryError } from './binary-error.ts'

/**
 * Returns the identifier if it has only the characters that Android and Apple allow. None of them is special in HTML,
 * XML, HTTP headers or paths.
 *
 * @throws BinaryError `invalid-identifier`.
 */
export function requireIdentifier(text: string): string {
  if (text.length <= 255 && /^[A-Za-z0-9._-]+$/.test(text)) return text
  throw new BinaryError('invalid-identifier', JSON.stringify(text.slice(0, 100)))
}

/**
 * Makes free text safe to store: at most 1,000 UTF-16 code units, no NUL and no lone surrogates, which databases and
 * UTF-8 reject.
 */
export function clipText(text: string): string {
  return text.slice(0, 1000).replaceAll('\0', '').toWellFormed()
}

/** True for an archive path without control characters or lone surrogates that is short enough to store and show. */
export function isPlainPath(path: string): boolean {
  return path.length <= 1000 && !/\p{Cc}/u.test(path) && path.isWellFormed()
}
