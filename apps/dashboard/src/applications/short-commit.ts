/** Shortens a commit to its first characters, as Git does. */
export function toShortCommit(commit: string): string {
  return /^[\da-f]{12,}$/i.test(commit) ? commit.slice(0, 10) : commit
}
