import { BinaryError } from './binary-error.ts'

/** What Android and Apple allow in an identifier, and nothing that means something to HTML, XML, a header or a path. */
export function requireIdentifier(text: string): string {
  if (text.length <= 255 && /^[A-Za-z0-9._-]+$/.test(text)) return text
  throw new BinaryError('invalid-identifier', JSON.stringify(text.slice(0, 100)))
}

/** Free text as it may be handed on: of a length that no honest app exceeds. */
export function clipText(text: string): string {
  return text.length > 1000 ? text.slice(0, 1000) : text
}
