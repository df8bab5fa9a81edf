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
