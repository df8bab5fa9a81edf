import type { Io } from '../io.ts'
import { readCiEnvironment } from './ci-environment.ts'
import { findMergeBase, readGitSource } from './git.ts'
import { readCiTestRun } from './test-run.ts'

/** The branch, the commit and the CI job from which a build or a test run comes. */
export interface Source {
  branch: string | undefined
  commit: string | undefined
  ciUrl: string | undefined
}

export interface SourceFlags {
  readonly branch?: string
  readonly commit?: string
  readonly ciUrl?: string
}

/** The source by the flags, for what they leave out by the CI service, and by git where neither says it. */
export function readSource(io: Io, { branch, commit, ciUrl }: SourceFlags): Source {
  const ci = readCiEnvironment(io.env)
  const known = { branch: branch ?? ci?.branch, commit: commit ?? ci?.commit, ciUrl: ciUrl ?? ci?.jobUrl }
  // CI services check out a commit without its branch, and a merge commit of pull requests.
  const isComplete = known.commit !== undefined && (known.branch !== undefined || ci !== undefined)
  if (isComplete && ci?.service !== 'TeamCity') return known
  const git = readGitSource(io)
  return { ...known, branch: known.branch ?? git.branch, commit: known.commit ?? git.commit }
}

/** The commit at which the pull request left its target, by the CI service or else by git; undefined without one. */
export function readBaseCommit(io: Io): string | undefined {
  const fromCi = readCiTestRun(io.env).baseCommit
  if (fromCi !== undefined) return fromCi
  const ci = readCiEnvironment(io.env)
  if (ci?.targetBranch === undefined) return undefined
  return findMergeBase(io, { head: ci.commit ?? 'HEAD', target: ci.targetBranch })
}
