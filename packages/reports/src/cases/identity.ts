/**
 * Computes the identity of a test: 16 bytes that are the same in every run and on every machine.
 *
 * It is the first half of the SHA-256 of scope, suite, class, name and parameters. The file is included if the class
 * adds nothing to the name. Parts that change although the test does not are removed before: `()` after a name, the
 * folders of a checkout or a home, addresses, UUIDs, the hash code of a Java object (`@1f2e3d`), and the amount of
 * white space.
 */
import { hash } from 'node:crypto'

/** The number of hexadecimal digits of an identity. */
export const identityDigits = 32

export interface TestNames {
  suite: string | null
  class: string | null
  name: string
  parameters: string | null
  file: string | null
  /** An identifier that the report gives explicitly. It replaces all names. */
  testId?: string | null
}

const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi
const address = /\b0x[0-9a-f]{6,16}\b/gi
const hashCode = /(?<=\w)@[0-9a-f]{5,8}\b(?![.\w-])/g
/** Folders in which CI services and people keep checkouts and temporary files. */
const roots = [
  /(?:file:\/\/)?\/home\/runner\/work\/[^/\s]+\/[^/\s]+\//g,
  /(?:file:\/\/)?\/Users\/runner\/work\/[^/\s]+\/[^/\s]+\//g,
  /(?:file:\/\/\/?)?[A-Z]:\/a\/[^/\s]+\/[^/\s]+\//gi,
  /(?:file:\/\/)?\/(?:var\/lib|home)\/jenkins\/workspace\/[^/\s]+\//g,
  /(?:file:\/\/)?\/(?:home\/vsts|Users\/runner)\/work\/\d+\/s\//g,
  /(?:file:\/\/)?\/builds\/[^/\s]+\/[^/\s]+\//g,
  /(?:file:\/\/)?\/(?:bitrise\/src|github\/workspace|home\/circleci\/project|root\/project|Users\/vagrant\/git)\//g,
  /(?:file:\/\/)?\/(?:private\/)?var\/folders\/[^/\s]+\/[^/\s]+\/[A-Z]\//g,
  /(?:file:\/\/)?\/(?:private\/)?tmp\/[^/\s]+\//g,
  /(?:file:\/\/\/?)?[A-Z]:\/Users\/[^/\s]+\//gi,
  /(?:file:\/\/)?\/(?:home|Users)\/[^/\s]+\//g,
]
/** Characters of which each pattern above needs one, so that most names are scanned once only. */
const changeable = /[/\\@]|0x|\(\)\s*$|\s\s|[\t\n\r]|-[0-9a-f]{4}-|^\s|\s$/i

/** Removes the parts of a name that change from run to run. */
export function normalizeName(text: string): string {
  if (!changeable.test(text)) return text
  let name = text.replaceAll(/\s+/g, ' ').trim()
  name = name.replaceAll(uuid, '<uuid>').replaceAll(address, '0x').replaceAll(hashCode, '')
  if (/[/\\]/.test(name)) {
    // Only a separator of a path becomes a slash: tests that differ in a lone backslash stay apart.
    name = name.replaceAll(/(?<=[\w.:-])\\+(?=[\w.])/g, '/')
    for (const root of roots) name = name.replaceAll(root, '')
  }
  return name.replace(/\(\)$/, '')
}

/**
 * Returns the identity of a test within `scope` (an application) as 32 hexadecimal digits. Names must not be cut
 * before.
 */
export function identify(names: TestNames, scope = ''): string {
  return createIdentifier(scope)(names).slice(0, identityDigits)
}

/**
 * `identify` for many tests: it keeps what consecutive tests share, the normalized suite and class. It returns all 64
 * digits of the hash, of which the identity is the first half: V8 reads the characters of a part of a string slowly.
 */
export function createIdentifier(scope: string): (names: TestNames) => string {
  let last: Pick<TestNames, 'suite' | 'class'> | undefined
  let className = ''
  let start = ''
  return (names) => {
    if (names.testId) return digest(`id\0${scope}\0${names.testId}`)
    if (last === undefined || last.class !== names.class || last.suite !== names.suite) {
      last = { suite: names.suite, class: names.class }
      className = normalizePart(names.class)
      start = `${scope}\0${normalizePart(names.suite)}\0${className}\0`
    }
    const name = normalizePart(names.name)
    const file = className === '' || className === name ? normalizePart(names.file) : ''
    const end = names.parameters === null && file === '' ? '\0\0' : `\0${normalizePart(names.parameters)}\0${file}`
    return digest(start + name + end)
  }
}

function normalizePart(text: string | null): string {
  return text === null || text === '' ? '' : normalizeName(text)
}

function digest(text: string): string {
  return hash('sha256', text, 'hex')
}
