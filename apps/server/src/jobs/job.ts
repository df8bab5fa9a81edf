import type { JobKind, JobPayloads } from '../db/schema/job-payloads.ts'

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
