/**
 * Tells whether a pattern matches a whole branch. `*` stands for any characters, `/` too; everything else, its case
 * included, stands for itself. A pattern is no regular expression, so that none makes this slow: the text between two
 * stars is looked for once, from where the one before it ended.
 */
export function matchesBranch(pattern: string, branch: string): boolean {
  const [head = '', ...rest] = pattern.split('*')
  const tail = rest.pop()
  if (tail === undefined) return branch === head
  if (branch.length < head.length + tail.length || !branch.startsWith(head) || !branch.endsWith(tail)) return false
  const end = branch.length - tail.length
  let from = head.length
  for (const part of rest) {
    const found = branch.indexOf(part, from)
    if (found === -1 || found + part.length > end) return false
    from = found + part.length
  }
  return true
}
