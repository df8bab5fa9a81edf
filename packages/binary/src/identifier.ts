import { BinaryError } from './binary-error.ts'

/** What Android and Apple allow in an identifier, and nothing that means something to HTML, XML, a header or a path. */
export function requireIdentifier(text: string): string {
  if (text.length <= 255 && /^[A-Za-z0-9._-]+$/.test(text)) return text
  throw new BinaryError('invalid-identifier', JSON.stringify(text.slice(0, 100)))
}

/** Free text as it may be handed on: of a length that no honest app exceeds, and such as any database and encoding takes. */
export function clipText(text: string): string {
  return text.slice(0, 1000).replaceAll('\0', '').toWellFormed()
}

/** A path in an archive that can be stored and shown anywhere, and found again. */
export function isPlainPath(path: string): boolean {
  return path.length <= 1000 && !/\p{Cc}/u.test(path) && path.isWellFormed()
}
