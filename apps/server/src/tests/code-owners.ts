/**
 * Reads a CODEOWNERS file as GitHub and GitLab do: each line has a pattern and its owners, and the last pattern that
 * matches a file counts. Other lines, such as GitLab's section headings, are left out.
 */
import { setImmediate } from 'node:timers/promises'
import { compilePattern } from './glob.ts'

export interface OwnerRule {
  pattern: string
  /** Separated by spaces; empty for files that nobody owns. */
  owners: string
}

/** The most rules of a file, and the most characters of the owners of one rule. */
export const maxRules = 5000
const maxOwners = 200
/** Rules with longer patterns are left out, and longer paths have no owner. */
const maxPathLength = 1000
/** How long other requests wait at most while owners are found, in milliseconds. */
const turnMs = 10

export function parseCodeOwners(content: string): OwnerRule[] {
  return content.split('\n').flatMap((line): OwnerRule[] => {
    const text = line.replace(/(^|\s)#.*$/, '').trim()
    if (text === '' || text.startsWith('[') || text.startsWith('^[') || text.startsWith('!')) return []
    const [pattern = '', ...owners] = text.split(/(?<!\\)\s+/)
    if (pattern.length > maxPathLength) return []
    return [{ pattern, owners: owners.join(' ').slice(0, maxOwners) }]
  })
}

/** Returns a function that finds the owners of a file; empty if it has none. It lets other work run in between. */
export function createOwnerFinder(rules: readonly OwnerRule[]): (file: string) => Promise<string> {
  const matchers = rules.map(({ pattern, owners }) => ({ owners, isOwned: compilePattern(pattern) })).toReversed()
  let turnStart = performance.now()
  return async (file) => {
    const path = toPath(file)
    if (path === null) return ''
    for (const { owners, isOwned } of matchers) {
      if (isOwned(path)) return owners
      if (performance.now() - turnStart < turnMs) continue
      await setImmediate()
      turnStart = performance.now()
    }
    return ''
  }
}

/** A path below the root of the repository, as far as the report says where that is. */
function toPath(file: string): string | null {
  if (file.length > maxPathLength) return null
  const path = file.replaceAll('\\', '/').replace(/^(?:[A-Za-z]:)?(?:\.?\/)+/, '')
  return path === '' || path.split('/').includes('..') ? null : path
}
