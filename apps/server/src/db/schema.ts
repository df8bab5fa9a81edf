/**
 * The tables as Kysely types, for both databases; those of each area are in a file of `schema/`. Times are epoch
 * milliseconds; structured values that are never searched are JSON text. See docs/data-model.md.
 */
import type { Selectable } from 'kysely'
import type { AccountsSchema } from './schema/accounts.ts'
import type { AlertsSchema } from './schema/alerts.ts'
import type { BuildsSchema } from './schema/builds.ts'
import type { CommitsSchema } from './schema/commits.ts'
import type { CrashIntakeSchema } from './schema/crash-intake.ts'
import type { CrashesSchema } from './schema/crashes.ts'
import type { DevicesSchema } from './schema/devices.ts'
import type { DistributionSchema } from './schema/distribution.ts'
import type { FeedbackSchema } from './schema/feedback.ts'
import type { HooksSchema } from './schema/hooks.ts'
import type { JobsSchema } from './schema/jobs.ts'
import type { MailsSchema } from './schema/mails.ts'
import type { RetentionSchema } from './schema/retention.ts'
import type { SymbolsSchema } from './schema/symbols.ts'
import type { TestsSchema } from './schema/tests.ts'
import type { UploadsSchema } from './schema/uploads.ts'
import type { WorkspacesSchema } from './schema/workspaces.ts'

export interface Schema
  extends
    AccountsSchema,
    AlertsSchema,
    BuildsSchema,
    CommitsSchema,
    CrashIntakeSchema,
    CrashesSchema,
    DevicesSchema,
    DistributionSchema,
    FeedbackSchema,
    HooksSchema,
    JobsSchema,
    MailsSchema,
    RetentionSchema,
    SymbolsSchema,
    TestsSchema,
    UploadsSchema,
    WorkspacesSchema {}

/** A row as Kysely returns it. */
export type Row<Table extends keyof Schema> = Selectable<Schema[Table]>

/** An install or download that is counted. */
export type NewInstall = Omit<Row<'installs'>, 'id'>
