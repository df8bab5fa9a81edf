import type { ReportLimits } from './limits.ts'

export interface ReadReportsOptions {
  /** Wins over the suites that the reports name. */
  suite?: string | null
  /** Leave broken files out, with a warning, instead of refusing the upload. */
  skipBroken?: boolean
  /** What the identities of tests are made within: an application. */
  scope?: string
  limits?: Partial<ReportLimits>
  /** Milliseconds for the database of a result bundle. */
  databaseTimeoutMs?: number
  /** Told the id of a child process, and 0 when it has ended. */
  onChild?(pid: number): void
}
