/** A place of code review that has comments on pull requests and a status of each commit. */
export interface Forge {
  name: string
  /** Lists the comments of the pull request that may be ours, oldest first. */
  listComments: () => Promise<ForgeComment[]>
  createComment: (text: string) => Promise<void>
  updateComment: (comment: ForgeComment, text: string) => Promise<void>
  deleteComment: (comment: ForgeComment) => Promise<void>
  /** Sets the status of the commit under its name; a status of the same name is replaced. */
  setStatus: (status: ForgeStatus) => Promise<void>
  /** Checks with a page of their own, where the forge has them. */
  checks?: ForgeChecks
}

export interface ForgeChecks {
  /** The `key` of the newest check with this name on the commit; undefined if there is none. */
  findNewest: (name: string) => Promise<string | undefined>
  create: (check: ForgeCheck) => Promise<void>
}

/** The result of a commit, with its report in Markdown and remarks beside lines of its sources. */
export interface ForgeCheck {
  name: string
  /** A digest of the check's content, by which an equal check is not written again. */
  key: string
  isSuccess: boolean
  title: string
  report: string
  url: string | undefined
  remarks: ForgeRemark[]
}

export interface ForgeRemark {
  /** Path in the repository. */
  path: string
  line: number
  title: string
  message: string
}

export interface ForgeComment {
  id: string
  text: string
}

export type ForgeState = 'success' | 'failure' | 'pending'

export interface ForgeStatus {
  name: string
  state: ForgeState
  /** One line for people. */
  description: string
  /** The page that tells more. */
  url: string | undefined
}

/** The settings of a call to a forge: its address and the token that CI gave to this job. */
export interface ForgeSettings {
  /** Undefined if the job belongs to no pull request. */
  pullRequest: string | undefined
  commit: string | undefined
}
