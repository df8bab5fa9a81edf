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
  const anchored = Map.groupBy(rules.map(({ pattern }) => pattern).filter(isAnchored), firstFolder)
  let turnStart = performance.now()
  return async (file) => {
    const given = toPath(file)
    if (given === null) return ''
    const path = isAbsolute(file) ? findPathBelowCheckout(given, anchored) : given
    for (const { owners, isOwned } of matchers) {
      if (isOwned(path)) return owners
      if (performance.now() - turnStart < turnMs) continue
      await setImmediate()
      turnStart = performance.now()
    }
    return ''
  }
}

function isAbsolute(file: string): boolean {
  return /^(?:file:\/\/)?(?:[A-Za-z]:)?[\\/]/.test(file)
}

/** Whether a pattern begins at the root of the repository, with a name and no wildcard. */
function isAnchored(pattern: string): boolean {
  return pattern.replace(/\/$/, '').includes('/') && !/[*?]/.test(firstFolder(pattern))
}

function firstFolder(pattern: string): string {
  return pattern.replace(/^\//, '').split('/', 1)[0] ?? ''
}

/**
 * Returns the part of an absolute path that is below the checkout: where a pattern that begins at the root of the
 * repository fits. Reports do not say where that is. Without such a pattern the path stays whole, which makes no
 * difference to the others.
 */
function findPathBelowCheckout(path: string, anchored: ReadonlyMap<string, string[]>): string {
  const names = path.split('/')
  for (const [index, name] of names.entries()) {
    const rest = names.slice(index).join('/')
    if (anchored.get(name)?.some((pattern) => compilePattern(pattern)(rest)) === true) return rest
  }
  return path
}

/** A path below the root of the repository, as far as the report says where that is. */
function toPath(file: string): string | null {
  if (file.length > maxPathLength) return null
  const path = file.replaceAll('\\', '/').replace(/^(?:file:\/\/)?(?:[A-Za-z]:)?(?:\.?\/)+/, '')
  return path === '' || path.split('/').includes('..') ? null : path
}
