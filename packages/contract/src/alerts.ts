import { z } from 'zod'
import { text } from './text.ts'
import { Id, Instant, Label, Page, Role } from './values.ts'

/** What an alert rule watches. Counts and rates are measured; crash groups, regressions and feedback happen. */
export const alertKinds = [
  'newCrashGroup',
  'crashRegression',
  'crashCount',
  'installCount',
  'crashFreeRate',
  'testVerdict',
  'flakyRate',
  'feedback',
] as const
export const AlertKind = z.enum(alertKinds)
export type AlertKind = z.infer<typeof AlertKind>

const TimeOfDay = text('22:00').regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 22:00')

/** When mails wait. The zone is a named one, so that the hours follow daylight saving time. */
const QuietHours = z
  .object({ from: TimeOfDay, to: TimeOfDay, timeZone: text('Europe/Stockholm').min(1).max(100) })
  .refine(({ from, to }) => from !== to, { path: ['to'], message: 'must be another time than from' })
  .meta({ id: 'QuietHours' })
export type QuietHours = z.infer<typeof QuietHours>

/** A count, or per cent of a rate. */
const Threshold = z
  .number()
  .min(0)
  .max(1_000_000_000)
  .meta({ examples: [99.5] })
const WindowMinutes = z
  .int()
  .min(5)
  .max(10_080)
  .meta({ examples: [60] })
const Minimum = z
  .int()
  .min(1)
  .max(1_000_000_000)
  .meta({ examples: [100] })
const Branch = text('main').min(1).max(500)
const Ids = z
  .array(Id)
  .max(100)
  .meta({ examples: [[4]] })
const Roles = z
  .array(Role)
  .max(3)
  .meta({ examples: [['admin']] })
const Minutes = z
  .int()
  .min(0)
  .max(10_080)
  .meta({ examples: [60] })

export const AlertRule = z
  .object({
    id: Id.meta({ examples: [9] }),
    applicationId: Id.meta({ examples: [7] }),
    name: text('Fewer than 99.5 % of sessions are free of crashes'),
    kind: AlertKind,
    threshold: Threshold.nullable().meta({ description: 'A count from which on it fires, or per cent of a rate' }),
    windowMinutes: WindowMinutes.nullable(),
    minimum: Minimum.nullable().meta({
      description: 'The least number of sessions, or of test cases, to judge a rate by',
    }),
    branch: Branch.nullable().meta({ description: 'Of test runs; null: the default branch, or all for flakyRate' }),
    hookIds: Ids.meta({ description: 'Hooks that are told whatever events they want' }),
    accountIds: Ids.meta({ description: 'Members who are mailed' }),
    roles: Roles.meta({ description: 'Members who are mailed because of their role, also those who come later' }),
    quietHours: QuietHours.nullable().meta({ description: 'When mails wait; hooks never do' }),
    digestMinutes: Minutes.meta({ description: 'How long mails wait for others; 0: they are sent at once' }),
    cooldownMinutes: Minutes.meta({
      description: 'How long it stays silent after it fired; for crash groups, about the same group',
    }),
    isEnabled: z.boolean().meta({ examples: [true] }),
    state: z.enum(['ok', 'firing']).meta({ description: 'Whether what is measured is over the line now' }),
    lastFiredDate: Instant.nullable(),
    createdDate: Instant,
    createdBy: text('Mara Lindqvist')
      .nullable()
      .meta({ description: 'Null for a rule that the application began with' }),
  })
  .meta({ id: 'AlertRule' })
export type AlertRule = z.infer<typeof AlertRule>

const settings = {
  threshold: Threshold.nullish(),
  windowMinutes: WindowMinutes.nullish(),
  minimum: Minimum.nullish(),
  branch: Branch.nullish(),
  hookIds: Ids.optional(),
  accountIds: Ids.optional(),
  roles: Roles.optional(),
  quietHours: QuietHours.nullish(),
  digestMinutes: Minutes.max(1440).optional(),
  cooldownMinutes: Minutes.optional(),
  isEnabled: z.boolean().optional(),
}

export const CreateAlertRule = z.object({
  name: Label.meta({ examples: ['Many crashes'] }),
  kind: AlertKind,
  ...settings,
})
export type CreateAlertRule = z.infer<typeof CreateAlertRule>

/** Fields that are left out stay as they are. The kind of a rule does not change. */
export const UpdateAlertRule = CreateAlertRule.omit({ kind: true }).partial()
export type UpdateAlertRule = z.infer<typeof UpdateAlertRule>

/** Something that a rule told of. */
export const AlertRecord = z
  .object({
    id: Id.meta({ examples: [31] }),
    applicationId: Id.meta({ examples: [7] }),
    alertRuleId: Id.nullable().meta({ description: 'Null when the rule was deleted since', examples: [9] }),
    ruleName: text('Many crashes'),
    kind: AlertKind,
    title: text('32 crashes in 60 minutes'),
    detail: text('IllegalStateException: no chart (18), OutOfMemoryError (9)').nullable(),
    value: z
      .number()
      .nullable()
      .meta({ examples: [32] }),
    threshold: Threshold.nullable().meta({ examples: [20] }),
    windowMinutes: WindowMinutes.nullable(),
    crashGroupId: Id.nullable(),
    testRunId: Id.nullable(),
    feedbackId: Id.nullable(),
    firedDate: Instant,
  })
  .meta({ id: 'AlertRecord' })
export type AlertRecord = z.infer<typeof AlertRecord>

export const ListAlerts = Page.extend({
  alertRuleId: z.coerce
    .number()
    .int()
    .positive()
    .optional()
    .meta({ examples: [9] }),
})
export type ListAlerts = z.infer<typeof ListAlerts>
