/** The most that one workspace may use. Null means no limit. */
export interface Quotas {
  /** Bytes of builds and symbols. */
  maxBytes: number | null
  maxBuilds: number | null
  maxMailsPerHour: number
}

/** Who may create workspaces: administrators of a workspace, every member of one, or administrators of the server. */
export type WorkspaceCreation = 'admins' | 'members' | 'server-admins'
