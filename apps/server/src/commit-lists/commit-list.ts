import type { CommitFile, Fault } from '@fairlead/contract'

export interface ListedFile {
  path: string
  status: CommitFile['status']
  previousPath: string | null
  hunks: [firstLine: number, lineCount: number][] | null
}

export interface ListedCommit {
  hash: string
  committedAt: number
  subject: string | null
  author: { name: string; email: string | null } | null
  /** Counts the files that were left out as well. */
  fileCount: number
  files: ListedFile[]
}

/** The commits of a build within the limits, newest first. */
export interface CommitList {
  base: string | null
  head: string
  isComplete: boolean
  /** Whether files or hunks were left out because of a limit. */
  isTruncated: boolean
  commits: ListedCommit[]
}

export type CommitListFault = 'damagedEncoding' | 'tooLarge' | 'malformedJson' | 'invalidRequest' | 'tooManyCommits'

export interface CommitListRequest {
  body: Uint8Array
  isGzip: boolean
  /** Whether the body is that of the API, or a release as sentry-cli sends it. */
  form: 'build' | 'release'
}

/** A list, or why the body holds none. Null if it was read and has no commit with a hash. */
export type CommitListAnswer = { list: CommitList | null } | { fault: CommitListFault; faults: Fault[] }
