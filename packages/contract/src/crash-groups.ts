import { z } from 'zod'
import { CrashGroupStatus, CrashKind } from './crash-kinds.ts'
import { text } from './text.ts'
import { Id, Instant, Page } from './values.ts'

export const CrashRelease = z
  .object({
    package: text('com.example.lighthouse').nullable(),
    shortVersion: text('2.4.0').nullable(),
    version: text('412').nullable(),
  })
  .meta({ id: 'CrashRelease' })
export type CrashRelease = z.infer<typeof CrashRelease>

export const CrashGroup = z
  .object({
    id: Id.meta({ examples: [65] }),
    applicationId: Id.meta({ examples: [7] }),
    kind: CrashKind,
    status: CrashGroupStatus,
    title: text('IllegalStateException: no chart'),
    culprit: text('com.example.lighthouse.chart.ChartLoader.load').nullable(),
    exceptionTypes: z.array(z.string()).meta({ examples: [['java.lang.IllegalStateException']] }),
    key: z.array(z.string()).meta({
      description: 'the lines that the crashes of the group have in common',
      examples: [['com.example.lighthouse.chart.ChartLoader.load']],
    }),
    skippedFrames: z.array(
      z.object({
        name: text('kotlin.UnsafeLazyImpl.getValue'),
        reason: text('system'),
      }),
    ),
    crashCount: z.int().meta({ examples: [42] }),
    installCount: z.int().meta({ examples: [57] }),
    isInstallCountApproximate: z.boolean(),
    firstSeenDate: Instant,
    lastSeenDate: Instant,
    firstRelease: CrashRelease.nullable(),
    lastRelease: CrashRelease.nullable(),
    isRegressed: z.boolean(),
    resolvedInVersion: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    ignoredUntilDate: Instant.nullable().meta({ examples: [null] }),
    assignee: z
      .object({
        id: Id.meta({ examples: [12] }),
        name: text('Mara Lindqvist'),
        email: text('mara@example.com'),
      })
      .nullable(),
    environments: z.array(z.string()).meta({ examples: [['production']] }),
    message: text('no chart for tile 7').nullable().meta({ description: 'of the newest crash, masked' }),
    isStillCrashing: z.boolean().meta({ description: 'the version that was to resolve it crashes itself' }),
    ignoredUntilCount: z
      .object({ crashes: z.int().nullable(), installs: z.int().nullable() })
      .nullable()
      .meta({ examples: [null] }),
    trackerUrl: z
      .string()
      .nullable()
      .meta({ examples: ['https://tracker.example.com/issues/31'] }),
    commentCount: z.int().meta({ examples: [2] }),
    trend: z.array(z.int()).meta({ description: 'crashes a day of the last 30 days, in UTC, oldest first' }),
    missingSymbols: z
      .array(z.string())
      .meta({ description: 'UUIDs of images, ids of mappings, or package and version', examples: [[]] }),
  })
  .meta({ id: 'CrashGroup' })
export type CrashGroup = z.infer<typeof CrashGroup>

/** One tag, or several. */
const Tags = z
  .preprocess(
    (given) => (typeof given === 'string' ? [given] : given),
    z
      .array(
        text('tenant:acme')
          .max(300)
          .regex(/^[^:]+:/, 'must be key:value'),
      )
      .max(20),
  )
  .meta({ description: '`key:value`; several must all be there', examples: [['tenant:acme']] })

export const CrashGroupQuery = Page.extend({
  status: CrashGroupStatus.optional(),
  q: z
    .string()
    .max(200)
    .optional()
    .meta({ description: 'Text within the title, the culprit, the message or the key', examples: ['2.4'] }),
  version: z
    .string()
    .max(500)
    .optional()
    .meta({ description: 'A version or a short version that has the crash', examples: ['412'] }),
  buildId: z.coerce
    .number()
    .int()
    .positive()
    .optional()
    .meta({ description: 'A build whose release has the crash', examples: [412] }),
  kind: CrashKind.optional(),
  environment: text('production').max(64).optional(),
  assigneeId: z
    .union([z.literal('none'), z.coerce.number().int().positive()])
    .optional()
    .meta({ description: 'The account of a member, or `none`', examples: ['none'] }),
  device: text('Pixel 9').max(500).optional(),
  os: text('Android 16').max(500).optional().meta({ description: 'The system, with or without its version' }),
  tag: Tags.optional(),
  installId: text('a7c1f0de-53b2-4c8e-9d10-2f4b6a8c0e13')
    .max(512)
    .optional()
    .meta({ description: 'As the SDK sends it, or as a crash shows it' }),
  date: z.iso
    .date()
    .optional()
    .meta({ description: 'A day in UTC on which it crashed', examples: ['2026-11-21'] }),
  sort: z.enum(['lastSeen', 'firstSeen', 'crashes', 'installs', 'trend']).optional(),
}).strict()
export type CrashGroupQuery = z.infer<typeof CrashGroupQuery>

export const UpdateCrashGroup = z.object({
  status: CrashGroupStatus.optional(),
  assigneeId: Id.nullable()
    .optional()
    .meta({ description: 'The account of a member', examples: [12] }),
  resolvedInVersion: text('2.4.1').min(1).max(500).nullable().optional(),
  ignoredUntilDate: z.iso
    .datetime({ offset: true })
    .nullable()
    .optional()
    .meta({ examples: [null] }),
  ignoredUntilCount: z
    .object({ crashes: z.int().min(1).optional(), installs: z.int().min(1).optional() })
    .refine(({ crashes, installs }) => crashes !== undefined || installs !== undefined, 'needs crashes or installs')
    .optional()
    .meta({ description: 'Ignore it until so many more crashes or installs', examples: [{ crashes: 100 }] }),
  trackerUrl: z
    .string()
    .max(2000)
    .regex(/^https?:\/\/\S+$/, 'must be a web address')
    .nullable()
    .optional()
    .meta({ examples: ['https://tracker.example.com/issues/31'] }),
})
export type UpdateCrashGroup = z.infer<typeof UpdateCrashGroup>

/** Changes many groups at once. */
export const UpdateCrashGroups = UpdateCrashGroup.pick({
  status: true,
  assigneeId: true,
  ignoredUntilDate: true,
  resolvedInVersion: true,
})
  .extend({
    groupIds: z
      .array(Id)
      .min(1)
      .max(1000)
      .optional()
      .meta({ examples: [[65, 66]] }),
    filter: CrashGroupQuery.omit({ cursor: true, limit: true, sort: true }).optional(),
    isRegressed: z.boolean().optional().meta({ description: 'With status `open`, for whoever takes a change back' }),
    isStillCrashing: z
      .boolean()
      .optional()
      .meta({ description: 'With status `resolved`, for whoever takes a change back' }),
  })
  .refine(({ groupIds, filter }) => (groupIds === undefined) !== (filter === undefined), 'needs groupIds or filter')
export type UpdateCrashGroups = z.infer<typeof UpdateCrashGroups>

export const ChangedCount = z.object({ changedCount: z.int().meta({ examples: [2] }) }).meta({ id: 'ChangedCount' })
export type ChangedCount = z.infer<typeof ChangedCount>

export const DeleteCrashGroupQuery = z.strictObject({
  discard: z
    .enum(['true', 'false'])
    .transform((given) => given === 'true')
    .optional()
    .meta({ description: 'Count later crashes of this group as dropped', examples: ['true'] }),
})

/** A key whose crashes are dropped. */
export const DiscardedGroup = z
  .object({
    key: text('8d969eef6ecad3c29a3a629280e686cf0c3f5d5a86aff3ca12020c923adc6c92'),
    title: text('IllegalStateException'),
    discardedDate: Instant,
  })
  .meta({ id: 'DiscardedGroup' })
export type DiscardedGroup = z.infer<typeof DiscardedGroup>

export const CrashComment = z
  .object({
    id: Id,
    text: text('The chart is empty for tiles at sea.'),
    author: text('Mara Lindqvist').nullable(),
    createdDate: Instant,
  })
  .meta({ id: 'CrashComment' })
export type CrashComment = z.infer<typeof CrashComment>

export const CreateCrashComment = z.object({ text: text('The chart is empty for tiles at sea.').min(1).max(10_000) })

export const MergeCrashGroups = z.object({
  groupIds: z
    .array(Id)
    .min(1)
    .max(100)
    .meta({ examples: [[66, 67]] }),
})
export type MergeCrashGroups = z.infer<typeof MergeCrashGroups>

export const SplitCrashGroup = z.object({
  stackIds: z
    .array(Id)
    .min(1)
    .max(1000)
    .meta({ examples: [[201]] }),
})
export type SplitCrashGroup = z.infer<typeof SplitCrashGroup>

const countOf = (example: string) => z.object({ value: text(example), count: z.int() })

export const CrashGroupStatistics = z
  .object({
    days: z.array(z.object({ date: z.iso.date(), count: z.int() })),
    releases: z.array(
      CrashRelease.extend({
        count: z.int(),
        installCount: z.int().meta({ examples: [57] }),
        isInstallCountApproximate: z.boolean(),
        buildId: Id.meta({ examples: [412] }).nullable(),
        days: z
          .array(z.object({ date: z.iso.date(), count: z.int() }))
          .meta({ description: 'Its crashes of the last 30 days, oldest first' }),
      }),
    ),
    environments: z.array(countOf('production')),
    tags: z.array(z.object({ key: text('tenant'), values: z.array(countOf('acme')) })),
    osVersions: z.array(countOf('16')),
    deviceModels: z.array(countOf('Pixel 9')),
    stacks: z.array(
      z.object({
        id: Id,
        crashCount: z.int().meta({ examples: [42] }),
        firstCrashId: Id.meta({ examples: [9001] }).nullable(),
        isPinned: z.boolean(),
      }),
    ),
  })
  .meta({ id: 'CrashGroupStatistics' })
export type CrashGroupStatistics = z.infer<typeof CrashGroupStatistics>

/** A failure of a test with the exception and the frame of a crash group. */
export const CrashTestFailure = z
  .object({
    failureId: Id.meta({ examples: [1203] }),
    testId: Id.meta({ examples: [88] }),
    testName: text('com.example.lighthouse.ChartTest loadsChart'),
    runId: Id.meta({ examples: [540] }),
    runDate: Instant,
  })
  .meta({ id: 'CrashTestFailure' })
export type CrashTestFailure = z.infer<typeof CrashTestFailure>
