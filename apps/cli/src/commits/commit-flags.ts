import { listFlag, switchFlag } from '../flags.ts'

export interface CommitFlags {
  readonly commitsPath?: readonly string[]
  readonly commitSubjects: boolean
  readonly commitAuthors: boolean
}

/** Flags of the commands that send the commits of a build. */
export const commitFlags = {
  commitsPath: listFlag('Only commits that touch this folder; may be given several times', 'folder'),
  commitSubjects: switchFlag('Send the first lines of the commit messages too'),
  commitAuthors: switchFlag('Send the names and mail addresses of the authors too'),
}
