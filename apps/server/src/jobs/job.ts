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
  'complete-test-run': { runId: number }
}

export type JobKind = keyof JobPayloads

/** Runs the jobs of one kind. */
export interface JobHandler<Kind extends JobKind> {
  /**
   * Runs a job. Returns when to run it again in epoch milliseconds, or undefined when it is done. A job may run twice
   * when a process dies before it records the success.
   *
   * @param signal aborted when the server shuts down
   */
  run(payload: JobPayloads[Kind], signal: AbortSignal): Promise<number | undefined>
  /** Called after each failure, and told whether that was the last attempt. */
  fail?(payload: JobPayloads[Kind], error: unknown, isLast: boolean): Promise<void>
  /** Recurring jobs are retried for ever. */
  isRecurring?: boolean
}

export type JobHandlers = { [Kind in JobKind]: JobHandler<Kind> }
