import { XmlError } from './xml-error.ts'
import { skipName } from './xml-names.ts'

export interface ReferenceHandler {
  /** Receives the name of an entity other than XML's five. The reference to it stays text. */
  entity(name: string): void
  /** Called for a reference by number to a character that XML forbids. */
  forbidden(): void
}

export const maxNameCharacters = 1_000

const entities = {
  lessThan: { reference: '&lt;', character: '<' },
  greaterThan: { reference: '&gt;', character: '>' },
  ampersand: { reference: '&amp;', character: '&' },
  quote: { reference: '&quot;', character: '"' },
  apostrophe: { reference: '&apos;', character: "'" },
}
const [hash, semicolon] = [0x23, 0x3b]

/**
 * Returns the text with its references resolved. A reference to an entity other than XML's five stays as it is written.
 * Throws XmlError for a `&` that begins no reference, and passes its offset to `onFault` before.
 */
export function resolveReferences(
  text: string,
  handler: ReferenceHandler,
  onFault: (offset: number) => void = () => {},
): string {
  let resolved = ''
  let from = 0
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', from)) {
    resolved += text.slice(from, at)
    const entity = findEntity(text, at)
    if (entity !== undefined) {
      resolved += entity.character
      from = at + entity.reference.length
      continue
    }
    const nameAt = text.charCodeAt(at + 1) === hash ? at + 2 : at + 1
    const nameEnd = skipReferenceName(text, nameAt)
    if (nameEnd === nameAt || text.charCodeAt(nameEnd) !== semicolon) {
      onFault(at)
      throw new XmlError('malformed', 'A "&" does not begin a reference.')
    }
    from = nameEnd + 1
    resolved += resolve(text.slice(at + 1, nameEnd), handler)
  }
  return resolved + text.slice(from)
}

/**
 * Returns the offset of a reference that the end of the text cuts off; the length of the text if there is none. Names
 * longer than a name may be are not waited for.
 */
export function findCutReference(text: string): number {
  const at = text.lastIndexOf('&')
  if (at === -1 || text.length - at > maxNameCharacters) return text.length
  const nameAt = text.charCodeAt(at + 1) === hash ? at + 2 : at + 1
  return skipReferenceName(text, nameAt) === text.length ? at : text.length
}

/** Finds the one of XML's five entities that is referred to at `at`. The letter after the `&` tells which it can be. */
function findEntity(text: string, at: number): { reference: string; character: string } | undefined {
  const entity = guessEntity(text, at)
  return entity !== undefined && text.startsWith(entity.reference, at) ? entity : undefined
}

function guessEntity(text: string, at: number): { reference: string; character: string } | undefined {
  switch (text.charAt(at + 1)) {
    case 'l':
      return entities.lessThan
    case 'g':
      return entities.greaterThan
    case 'q':
      return entities.quote
    case 'a':
      return text.charAt(at + 2) === 'm' ? entities.ampersand : entities.apostrophe
    default:
      return undefined
  }
}

/** After `&#`, the name is a number, which `skipName` would not let begin with a digit. */
function skipReferenceName(text: string, at: number): number {
  if (text.charCodeAt(at - 1) !== hash) return skipName(text, at)
  let end = at
  while (/[0-9A-Za-z]/.test(text.charAt(end))) end++
  return end
}

function resolve(name: string, handler: ReferenceHandler): string {
  const [, hexadecimal, decimal] = /^#(?:x([0-9a-f]+)|(\d+))$/i.exec(name) ?? []
  if (hexadecimal === undefined && decimal === undefined) {
    handler.entity(name)
    return `&${name};`
  }
  const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16)
  const isSurrogate = code >= 0xd800 && code <= 0xdfff
  if (code <= 0x10ffff && !isSurrogate && (code >= 0x20 || [9, 10, 13].includes(code)) && (code & ~1) !== 0xfffe) {
    return String.fromCodePoint(code)
  }
  handler.forbidden()
  return code === 0x1b ? '\u001b' : '\ufffd'
}
