import type { BuildCommits, Commit, CommitState } from '@fairlead/contract'
import type { Db } from '../db/open.ts'
import { parseJsonText } from '../db/json-text.ts'
import type { Row } from '../db/schema.ts'
import { toInstant } from '../http/instant.ts'
import { findBuildCommits } from './store.ts'

export function toBuildCommits(row: Row<'build_commits'>): BuildCommits {
  return {
    buildId: row.build_id,
    base: row.base,
    head: row.head,
    count: row.commit_count,
    fileCount: row.file_count,
    isComplete: row.is_complete === 1,
    isTruncated: row.is_truncated === 1,
    receivedDate: toInstant(row.received_at),
  }
}

export function toCommit(row: Row<'commits'>, files: readonly Row<'commit_files'>[]): Commit {
  const { author_name: name, author_email: email } = row
  return {
    id: row.hash,
    date: toInstant(row.committed_at),
    subject: row.subject,
    author: name === null ? null : { name, email },
    files: files.map((file) => ({
      path: file.path,
      status: file.status,
      previousPath: file.previous_path,
      hunks: file.hunks === null ? null : parseJsonText(file.hunks),
    })),
  }
}

/** What is known of the commits of a build; of no build, nothing. */
export async function readCommitState(db: Db, buildId: number | null): Promise<CommitState> {
  const row = buildId === null ? undefined : await findBuildCommits(db, buildId)
  if (!row) return { state: 'none', base: null, head: null, count: 0 }
  const isComplete = row.is_complete === 1 && row.is_truncated === 0
  return { state: isComplete ? 'complete' : 'partial', base: row.base, head: row.head, count: row.commit_count }
}
