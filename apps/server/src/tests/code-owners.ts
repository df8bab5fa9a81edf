/**
 * Reads a CODEOWNERS file as GitHub and GitLab do: each line has a pattern and its owners, and the last pattern that
 * matches a file counts. Patterns are those of .gitignore, but `docs/*` matches no file in folders below, and negation
 * does not exist. Other lines, such as GitLab's section headings, are left out.
 */
import ignore from 'ignore'
import { dirname } from 'node:path/posix'

export interface OwnerRule {
  pattern: string
  /** Separated by spaces; empty for files that nobody owns. */
  owners: string
}

/** The most rules of a file, and the most characters of the owners of one rule. */
export const maxRules = 5000
const maxOwners = 200

export function parseCodeOwners(content: string): OwnerRule[] {
  return content.split('\n').flatMap((line): OwnerRule[] => {
    const text = line.replace(/(^|\s)#.*$/, '').trim()
    if (text === '' || text.startsWith('[') || text.startsWith('^[') || text.startsWith('!')) return []
    const [pattern = '', ...owners] = text.split(/(?<!\\)\s+/)
    return [{ pattern, owners: owners.join(' ').slice(0, maxOwners) }]
  })
}

/** Returns a function that finds the owners of a file; empty if it has none. */
export function createOwnerFinder(rules: readonly OwnerRule[]): (file: string) => string {
  const matchers = rules.map(({ pattern, owners }) => ({ owners, isOwned: createMatcher(pattern) })).toReversed()
  return (file) => {
    const path = toPath(file)
    if (path === null) return ''
    return matchers.find(({ isOwned }) => isOwned(path))?.owners ?? ''
  }
}

function createMatcher(pattern: string): (path: string) => boolean {
  const matcher = ignore().add(pattern)
  if (!pattern.endsWith('/*')) return (path) => matcher.ignores(path)
  return (path) => {
    const folder = dirname(path)
    return matcher.ignores(path) && (folder === '.' || !matcher.ignores(folder))
  }
}

/** A path below the root of the repository, as far as the report says where that is. */
function toPath(file: string): string | null {
  const path = file.replaceAll('\\', '/').replace(/^(?:[A-Za-z]:)?(?:\.?\/)+/, '')
  return ignore.isPathValid(path) ? path : null
}
