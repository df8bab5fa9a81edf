/** The kinds of background jobs with their payloads. */
export interface JobPayloads {
  'send-mail': { mailId: number }
  'notify-testers': { workspaceId: number; buildId: number; groupIds: number[] }
  'remind-testers': { workspaceId: number; buildId: number }
  'reset-password': { email: string }
  'daily-chores': Record<string, never>
  'read-crashes': Record<string, never>
  'reread-crashes': Record<string, never>
  /** Fires the rules about crash groups. The name is that of earlier versions, which may run beside this one. */
  'mail-crashes': { applicationId: number }
  'plan-alerts': Record<string, never>
  'look-at-alerts': { applicationId: number }
  'mail-alerts': { applicationId: number }
  'alert-of-feedback': { applicationId: number; feedbackId: number; text: string | null }
  'read-test-crashes': { applicationId: number }
  'find-test-owners': { applicationId: number }
  'plan-retention': Record<string, never>
  'run-retention': { runId: number }
  'undo-retention': { runId: number }
  /** Tells administrators of a rule that is new; without an application, of the rule of the workspace. */
  'announce-retention': { workspaceId: number; applicationId: number | null }
  'empty-trash': { applicationId: number; before: number }
  'register-device': { deviceId: number; since: number }
  'complete-test-run': { runId: number }
}

export type JobKind = keyof JobPayloads
