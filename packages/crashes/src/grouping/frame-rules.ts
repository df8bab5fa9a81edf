/** Rules of an application that say which frames are its own and which are left out of a group's key. */

export interface FrameRule {
  kind: 'app' | 'system' | 'skip'
  /** `*` stands for any text, also for none. */
  pattern: string
}

/** Longer names are cut before they are compared, so that a rule costs a bounded time. */
const longestName = 1000

/** Finds the first rule that matches one of a frame's names; undefined if none does. */
export function findRule(rules: readonly FrameRule[], names: readonly (string | null)[]): FrameRule | undefined {
  return rules.find(({ pattern }) => names.some((name) => name !== null && fitsPattern(name, pattern)))
}

/** Matches without a regular expression, which could backtrack. Each `*` costs time linear in the text's length. */
function fitsPattern(name: string, pattern: string): boolean {
  const parts = pattern.split('*')
  const text = name.slice(0, longestName)
  const [first = ''] = parts
  if (parts.length === 1) return text === first
  const last = parts.at(-1) ?? ''
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false
  let at = first.length
  const end = text.length - last.length
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at)
    if (found < 0 || found + part.length > end) return false
    at = found + part.length
  }
  return true
}
