/** The work that is done behind the requests, by kind, with what each needs to know. */
export interface JobPayloads {
  'send-mail': { mailId: number }
  'reset-password': { email: string }
  'daily-chores': Record<string, never>
}

export type JobKind = keyof JobPayloads

/** What does the jobs of one kind. A number that comes back is when to do it again, in epoch milliseconds. */
export interface JobHandler<Kind extends JobKind> {
  /**
   * May be called twice for the same job, when a process died before it could say that it was done.
   * @param signal aborted when the server shuts down
   */
  run(payload: JobPayloads[Kind], signal: AbortSignal): Promise<number | undefined>
  /** Called after each failure, with whether it was the last attempt. */
  fail?(payload: JobPayloads[Kind], error: unknown, isLast: boolean): Promise<void>
  /** Tried again for ever instead of given up. */
  isRecurring?: boolean
}

export type JobHandlers = { [Kind in JobKind]: JobHandler<Kind> }
