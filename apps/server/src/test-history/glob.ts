/** Matches zero or more folders. */
const anyFolders = '**'

/** A part of a path between slashes, as single characters and wildcards. */
type Part = readonly Token[]
type Token = { character: string } | 'any-character' | 'any-characters'

/**
 * Compiles a pattern of a CODEOWNERS file: as in .gitignore, but without negation and character ranges, and `docs/*`
 * matches only the files of that folder. The time of a match is at most proportional to the product of the lengths of
 * pattern and path. A regular expression would take exponential time for patterns such as `*a*a*a*a*b` (ReDoS).
 */
export function compilePattern(pattern: string): (path: string) => boolean {
  const names = pattern.split('/').filter((name) => name !== '')
  if (names.length === 0) return () => false
  const isAnchored = pattern.replace(/\/$/, '').includes('/')
  const parts = names.map(toPart)
  if (!isAnchored) parts.unshift(anyFolders)
  // A pattern that names a folder matches everything below it. One that ends in a slash matches no file of that name.
  if (names.at(-1) === anyFolders) parts.push(['any-characters'])
  if (pattern.endsWith('/')) parts.push(['any-characters'])
  if (!pattern.endsWith('/*')) parts.push(anyFolders)
  return (path) => matchesParts(parts, path.split('/'))
}

function toPart(name: string): Part | typeof anyFolders {
  if (name === anyFolders) return anyFolders
  const tokens: Token[] = []
  for (let index = 0; index < name.length; index++) {
    const character = name.charAt(index)
    if (character === '*') {
      if (tokens.at(-1) !== 'any-characters') tokens.push('any-characters')
    } else if (character === '?') tokens.push('any-character')
    else tokens.push({ character: character === '\\' ? name.charAt(++index) : character })
  }
  return tokens
}

function matchesParts(parts: readonly (Part | typeof anyFolders)[], names: readonly string[]): boolean {
  return matchesWithWildcard(parts, names, {
    isWildcard: (part) => part === anyFolders,
    matches: (part, name) => part !== anyFolders && matchesName(part, name),
  })
}

function matchesName(part: Part, name: string): boolean {
  return matchesWithWildcard(part, name, {
    isWildcard: (token) => token === 'any-characters',
    matches: (token, character) =>
      token === 'any-character' || (typeof token === 'object' && token.character === character),
  })
}

interface Comparison<Element> {
  isWildcard: (one: Element) => boolean
  matches: (one: Element, other: string) => boolean
}

/**
 * Compares two sequences, of which the first may hold wildcards for any number of elements. Only the last wildcard that
 * was met is ever extended, so the time is at most the product of the lengths.
 */
function matchesWithWildcard<Element>(
  pattern: readonly Element[],
  text: readonly string[] | string,
  { isWildcard, matches }: Comparison<Element>,
): boolean {
  let place = 0
  let lastWildcard = -1
  let resumeAt = 0
  for (let index = 0; index < text.length;) {
    const element = pattern[place]
    const one = text[index] ?? ''
    if (element !== undefined && isWildcard(element)) {
      lastWildcard = place++
      resumeAt = index
    } else if (element !== undefined && matches(element, one)) {
      place++
      index++
    } else if (lastWildcard !== -1) {
      place = lastWildcard + 1
      index = ++resumeAt
    } else return false
  }
  return pattern.slice(place).every(isWildcard)
}
