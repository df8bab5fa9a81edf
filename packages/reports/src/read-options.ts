import type { ReportLimits } from './limits.ts'

export interface ReadReportsOptions {
  /** A suite that replaces those that the reports name. */
  suite?: string | null
  /** Skip broken files with a warning instead of refusing the upload. */
  skipBroken?: boolean
  /** The scope in which identities of tests are unique, such as an application. */
  scope?: string
  limits?: Partial<ReportLimits>
}
