/** The tables of the commits of builds as Kysely types. */
import type { CommitFile } from '@fairlead/contract'
import type { Generated } from 'kysely'
import type { JsonText } from '../json-text.ts'

/** What CI said about the commits between the build before and a build. */
interface BuildCommitsTable {
  build_id: number
  /** The hash of the commit where the list begins; null if CI did not know it. */
  base: string | null
  head: string
  is_complete: number
  /** Whether files or hunks were left out because of a limit. */
  is_truncated: number
  commit_count: number
  file_count: number
  received_at: number
  /** 1 if sentry-cli has sent it with the build's release. CI's own list for the build takes its place. */
  is_of_release: Generated<number>
}

interface CommitsTable {
  build_id: number
  /** From 1, newest first. */
  place: number
  hash: string
  committed_at: number
  subject: string | null
  author_name: string | null
  author_email: string | null
  /** Counts the files that were left out as well. */
  file_count: number
}

/** A file that a commit touched. */
interface CommitFilesTable {
  build_id: number
  place: number
  /** From 1, in the order of the commit. */
  number: number
  path: string
  /** The names of the path, the last first, each followed by a slash, so that an end of a path is a beginning. */
  reversed_path: string
  status: CommitFile['status']
  previous_path: string | null
  reversed_previous_path: string | null
  /** First line and number of lines of each change, as the commit left the file; null if CI did not send them. */
  hunks: JsonText<[firstLine: number, lineCount: number][]> | null
}

/** The commits that sentry-cli has sent with a release. Builds of the release that come later get a copy. */
interface ReleaseCommitListsTable {
  release_id: number
  application_id: number
  short_version: string | null
  version: string
  head: string
  is_truncated: number
  commit_count: number
  file_count: number
  received_at: number
}

/** A commit of a release. Nothing about people is kept. */
interface ReleaseCommitsTable {
  release_id: number
  /** From 1, newest first. */
  place: number
  hash: string
  committed_at: number
  /** Counts the files that were left out as well. */
  file_count: number
}

interface ReleaseCommitFilesTable {
  release_id: number
  place: number
  number: number
  path: string
  reversed_path: string
  status: CommitFile['status']
}

export interface CommitsSchema {
  build_commits: BuildCommitsTable
  commits: CommitsTable
  commit_files: CommitFilesTable
  release_commit_lists: ReleaseCommitListsTable
  release_commits: ReleaseCommitsTable
  release_commit_files: ReleaseCommitFilesTable
}
