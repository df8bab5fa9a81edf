/** The kinds of background jobs with their payloads. */
export interface JobPayloads {
  'send-mail': { mailId: number }
  'notify-testers': { workspaceId: number; buildId: number; groupIds: number[] }
  'reset-password': { email: string }
  'daily-chores': Record<string, never>
  'read-crashes': Record<string, never>
  'reread-crashes': Record<string, never>
  'mail-crashes': { applicationId: number }
  'read-test-crashes': { applicationId: number }
  'find-test-owners': { applicationId: number }
  'plan-retention': Record<string, never>
  'run-retention': { runId: number }
  'undo-retention': { runId: number }
  /** Tells administrators of a rule that is new; without an application, of the rule of the workspace. */
  'announce-retention': { workspaceId: number; applicationId: number | null }
  'empty-trash': { applicationId: number; before: number }
  'complete-test-run': { runId: number }
}

export type JobKind = keyof JobPayloads
