/**
 * The commits of a release as `sentry-cli releases set-commits` sends them, newest first:
 *
 *     { commits: [{ id, timestamp, patch_set: [{ path, type }], message, author_name, author_email, repository }] }
 *
 * Message, author and repository are passed over, as nobody has chosen to send them here. sentry-cli does not know the
 * limits of this server, so what is over one is left out instead of failing the job of CI.
 */
import { commitLimits, CommitFile, CommitHash } from '@fairlead/contract'
import { z } from 'zod'
import type { CommitList, ListedFile } from './commit-list.ts'

export const ReleaseWithCommits = z.object({
  commits: z.array(
    z.object({
      id: z.string(),
      timestamp: z.iso.datetime({ offset: true }).nullish(),
      patch_set: z.array(z.object({ path: z.string(), type: z.string() })).nullish(),
    }),
  ),
})

type ReleaseCommits = z.output<typeof ReleaseWithCommits>['commits']
type Patch = NonNullable<ReleaseCommits[number]['patch_set']>

const { path: Path, status: Status } = CommitFile.shape

/** @param now stands for the time of a commit without one */
export function toReleaseList(commits: ReleaseCommits, now: number): CommitList | null {
  const list: CommitList = { base: null, head: '', isComplete: false, isTruncated: false, commits: [] }
  let left: number = commitLimits.files
  for (const { id, timestamp, patch_set: patch } of commits) {
    const { data: hash } = CommitHash.safeParse(id)
    if (hash === undefined || list.commits.length >= commitLimits.commits) {
      list.isTruncated = true
      continue
    }
    const named = patch ?? []
    const files = toFiles(named.slice(0, Math.min(commitLimits.filesOfCommit, left)))
    left -= files.length
    if (files.length < named.length) list.isTruncated = true
    const committedAt = timestamp === null || timestamp === undefined ? now : Date.parse(timestamp)
    list.commits.push({ hash, committedAt, subject: null, author: null, fileCount: named.length, files })
  }
  const [newest] = list.commits
  return newest ? { ...list, head: newest.hash } : null
}

function toFiles(patch: Patch): ListedFile[] {
  return patch.flatMap(({ path, type }) => {
    const [file, status] = [Path.safeParse(path), Status.safeParse(type)]
    if (!file.success || !status.success) return []
    return { path: file.data.toWellFormed(), status: status.data, previousPath: null, hunks: null }
  })
}
