import { execFileSync } from 'node:child_process'
import type { Io } from '../io.ts'

/** The longest time that git may take, in milliseconds. */
const timeoutMs = 20_000

/** Runs git in the current folder and returns the first line of its output; undefined if it fails or is not there. */
function runGit({ cwd, env }: Pick<Io, 'cwd' | 'env'>, args: readonly string[]): string | undefined {
  try {
    const text = execFileSync('git', [...args], {
      cwd,
      env: { ...env, GIT_TERMINAL_PROMPT: '0' },
      encoding: 'utf8',
      timeout: timeoutMs,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [line = ''] = text.split('\n', 1)
    return line.trim() === '' ? undefined : line.trim()
  } catch {
    return undefined
  }
}

/** The branch and the commit that are checked out, for machines without a CI service. */
export function readGitSource(io: Pick<Io, 'cwd' | 'env'>): { branch: string | undefined; commit: string | undefined } {
  const branch = runGit(io, ['symbolic-ref', '--quiet', '--short', 'HEAD'])
  return { branch, commit: runGit(io, ['rev-parse', '--verify', '--quiet', 'HEAD']) }
}

/** The commit at which a branch left its target: the merge base of git, which needs their history in the checkout. */
export function findMergeBase(
  io: Pick<Io, 'cwd' | 'env'>,
  { head, target }: { head: string; target: string },
): string | undefined {
  // A name that begins with a hyphen would be an option of git.
  if ([head, target].some((name) => name.startsWith('-'))) return undefined
  for (const ref of [`refs/remotes/origin/${target}`, `refs/heads/${target}`, target]) {
    const base = runGit(io, ['merge-base', head, ref])
    if (base !== undefined) return base
  }
  return undefined
}
