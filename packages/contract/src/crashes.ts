import { z } from 'zod'
import { toCleanName } from './shown-characters.ts'
import { SymbolicatedFrame } from './symbolicate.ts'
import { SymbolsKind } from './symbols-files.ts'
import { Id, Instant, Label, Page } from './values.ts'
import { text } from './text.ts'

export const CrashKind = z.enum(['crash', 'anr', 'hang', 'handled'])
export type CrashKind = z.infer<typeof CrashKind>

export const CrashSource = z.enum(['sentry', 'appcenter', 'acra', 'android', 'apple', 'metrickit'])
export type CrashSource = z.infer<typeof CrashSource>

export const CrashPlatform = z.enum(['android', 'apple', 'native', 'dart', 'javascript', 'other'])
export type CrashPlatform = z.infer<typeof CrashPlatform>

export const CrashGroupStatus = z.enum(['open', 'resolved', 'ignored'])
export type CrashGroupStatus = z.infer<typeof CrashGroupStatus>

/** A key that apps send their crashes with. It belongs to one application and cannot read anything. */
export const CrashKey = z
  .object({
    id: Id.meta({ examples: [2] }),
    name: text('Play Store release'),
    key: text('5f2b8c0d9e7a4136b8c2d4e6f8a01357').regex(/^[0-9a-f]{32}$/),
    isEnabled: z.boolean().meta({ examples: [true] }),
    createdDate: Instant,
    lastUsedDate: Instant.nullable(),
    sentryDsn: z.string().meta({
      description: 'for Sentry SDKs',
      examples: ['https://5f2b8c0d9e7a4136b8c2d4e6f8a01357@fairlead.example.com/7'],
    }),
    appCenterLogUrl: z.string().meta({
      description: 'for `setLogUrl` of App Center SDKs',
      examples: ['https://fairlead.example.com/api/appcenter'],
    }),
    acraUrl: z.string().meta({
      description: "for ACRA's HTTP sender",
      examples: ['https://fairlead.example.com/api/acra/5f2b8c0d9e7a4136b8c2d4e6f8a01357'],
    }),
  })
  .meta({ id: 'CrashKey' })
export type CrashKey = z.infer<typeof CrashKey>

export const CreateCrashKey = z.object({ name: Label.meta({ examples: ['Play Store release'] }) })
export type CreateCrashKey = z.infer<typeof CreateCrashKey>

export const UpdateCrashKey = z.object({
  name: Label.optional().meta({ examples: ['Play Store release'] }),
  isEnabled: z
    .boolean()
    .optional()
    .meta({ examples: [true] }),
})
export type UpdateCrashKey = z.infer<typeof UpdateCrashKey>

export const CrashIntake = z
  .object({
    pendingCount: z
      .int()
      .meta({ description: 'Deliveries that were acknowledged and not read, and stacks to be read again' }),
    waitingStackCount: z.int().meta({ description: 'Stacks that wait for symbols' }),
    droppedCounts: z
      .record(z.string(), z.int())
      .meta({ description: 'What was not counted as a crash, by its kind', examples: [{ transaction: 12 }] }),
  })
  .meta({ id: 'CrashIntake' })
export type CrashIntake = z.infer<typeof CrashIntake>

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
  })
  .refine(({ groupIds, filter }) => (groupIds === undefined) !== (filter === undefined), 'needs groupIds or filter')
export type UpdateCrashGroups = z.infer<typeof UpdateCrashGroups>

export const ChangedCount = z.object({ changedCount: z.int().meta({ examples: [2] }) }).meta({ id: 'ChangedCount' })

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

/** A release that CI has announced, as `sentry-cli releases` and `sentry-cli deploys` do. */
export const DeclaredRelease = z
  .object({
    id: Id,
    version: z.string().meta({
      description: 'as it was announced, usually `package@version+build`',
      examples: ['com.example.lighthouse@2.4.1+241'],
    }),
    package: text('com.example.lighthouse').nullable(),
    shortVersion: text('2.4.1').nullable(),
    buildVersion: text('241').nullable(),
    url: text('https://ci.example.com/runs/241').nullable(),
    commit: text('9fceb02d0ae598e95dc970b74767f19372d61af8').nullable(),
    isArchived: z.boolean().meta({ examples: [false] }),
    createdDate: Instant,
    releasedDate: Instant.nullable(),
    deploys: z
      .array(
        z.object({
          environment: text('production'),
          name: text('Play Store, 10 %').nullable(),
          url: text('https://ci.example.com/deploys/12').nullable(),
          startedDate: Instant.nullable(),
          finishedDate: Instant.nullable(),
        }),
      )
      .meta({ description: 'where it was deployed, newest first' }),
  })
  .meta({ id: 'DeclaredRelease' })
export type DeclaredRelease = z.infer<typeof DeclaredRelease>

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

/** A frame in the words of the report. What it does not say is null. */
export const ReportedFrame = z
  .object({
    className: text('a.b').nullable(),
    methodName: text('c').nullable(),
    function: text('a.b.c').nullable(),
    line: z
      .int()
      .nullable()
      .meta({ examples: [17] }),
    column: z
      .int()
      .nullable()
      .meta({ examples: [null] }),
    imageUuid: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    imageOffset: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    address: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    module: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
  })
  .meta({ id: 'ReportedFrame' })
export type ReportedFrame = z.infer<typeof ReportedFrame>

export const CrashFrame = SymbolicatedFrame.extend({
  className: text('com.example.lighthouse.chart.ChartLoader').nullable(),
  isApp: z.boolean().meta({ examples: [true] }),
  reported: ReportedFrame.nullable().meta({ description: 'null for frames that were inlined' }),
}).meta({ id: 'CrashFrame' })
export type CrashFrame = z.infer<typeof CrashFrame>

/** A crash in a list. */
export const CrashSummary = z
  .object({
    id: Id.meta({ examples: [9001] }),
    applicationId: Id.meta({ examples: [7] }),
    groupId: Id.meta({ examples: [65] }),
    stackId: Id.meta({ examples: [201] }),
    source: CrashSource,
    sourceId: text('8f14e45fceea467ea1b2c3d4e5f60718'),
    kind: CrashKind,
    isFatal: z.boolean(),
    occurredDate: Instant,
    receivedDate: Instant,
    package: text('com.example.lighthouse').nullable(),
    shortVersion: text('2.4.0').nullable(),
    version: text('412').nullable(),
    deviceModel: text('Pixel 9').nullable(),
    osName: text('Android').nullable(),
    osVersion: text('16').nullable(),
    installId: text('a7c1f0de-53b2-4c8e-9d10-2f4b6a8c0e13').nullable(),
    platform: CrashPlatform,
    environment: text('production'),
    tags: z.record(z.string(), z.string()).meta({ examples: [{ tenant: 'acme' }] }),
  })
  .meta({ id: 'CrashSummary' })
export type CrashSummary = z.infer<typeof CrashSummary>

export const Crash = CrashSummary.extend({
  exceptions: z.array(
    z.object({
      type: text('java.lang.IllegalStateException'),
      message: text('no chart').nullable(),
    }),
  ),
  frameCount: z.int(),
  frames: z.array(CrashFrame),
  images: z.array(
    z.object({
      name: text('Lighthouse'),
      uuid: text('d0bf2c7e-3f5a-3c8e-9a41-5b6c7d8e9f10').nullable(),
      architecture: text('arm64').nullable(),
    }),
  ),
  missingSymbols: z.array(z.string()).meta({ examples: [[]] }),
  breadcrumbs: z.array(
    z.object({
      date: Instant.nullable(),
      type: text('navigation'),
      category: text('ui.lifecycle').nullable(),
      level: text('info').nullable(),
      message: text('ChartScreen opened').nullable(),
      data: z.record(z.string(), z.string()).meta({ examples: [{ from: 'Harbour', to: 'Chart' }] }),
    }),
  ),
  contexts: z.record(z.string(), z.record(z.string(), z.string())).meta({
    description: 'device, os, app and runtime; data of the app itself only where the application keeps it',
    examples: [{ device: { model: 'Pixel 9' }, os: { name: 'Android' }, app: {}, runtime: {} }],
  }),
  buildId: Id.nullable().meta({ description: 'The build of this release, when it was uploaded here', examples: [412] }),
}).meta({ id: 'Crash' })
export type Crash = z.infer<typeof Crash>

/** A thread of the report. */
export const CrashThread = z
  .object({
    id: text('1').nullable(),
    name: text('main').nullable(),
    state: text('WAITING').nullable(),
    isCrashed: z.boolean(),
    frameCount: z.int(),
    frames: z.array(CrashFrame),
  })
  .meta({ id: 'CrashThread' })
export type CrashThread = z.infer<typeof CrashThread>

export const CrashesQuery = Page.extend({
  version: text('412').max(500).optional(),
  environment: text('production').max(64).optional(),
  device: text('Pixel 9').max(500).optional(),
  os: text('Android 16').max(500).optional(),
  tag: CrashGroupQuery.shape.tag,
  installId: CrashGroupQuery.shape.installId,
}).strict()
export type CrashesQuery = z.infer<typeof CrashesQuery>

export const Stability = z
  .object({
    date: z.iso.date(),
    environment: text('production'),
    package: text('com.example.lighthouse').nullable(),
    shortVersion: text('2.4.0').nullable(),
    version: text('412').nullable(),
    startedCount: z.int().meta({ examples: [12608] }),
    crashedCount: z.int().meta({ examples: [30] }),
    crashFreeRate: z
      .number()
      .nullable()
      .meta({ description: 'From 0 to 1; null when no session was started', examples: [0.9976] }),
    startedInstallCount: z.int().meta({ examples: [5204] }),
    crashedInstallCount: z.int().meta({ examples: [21] }),
    crashFreeInstallRate: z
      .number()
      .nullable()
      .meta({ examples: [0.996] }),
    adoptionRate: z
      .number()
      .nullable()
      .meta({ description: 'The share of the installs of that day and environment', examples: [0.62] }),
  })
  .meta({ id: 'Stability' })
export type Stability = z.infer<typeof Stability>

export const MissingSymbols = z
  .object({
    kind: SymbolsKind,
    codeId: text('9c7fff405dc70e313eb5759c061f33993aceaa5c').nullable(),
    uuid: text('d0bf2c7e-3f5a-3c8e-9a41-5b6c7d8e9f10').nullable(),
    name: text('Lighthouse').nullable(),
    package: text('com.example.lighthouse').nullable(),
    shortVersion: text('2.4.0').nullable(),
    version: text('412').nullable(),
    stackCount: z.int(),
    crashCount: z.int().meta({ examples: [42] }),
  })
  .meta({ id: 'MissingSymbols' })
export type MissingSymbols = z.infer<typeof MissingSymbols>

/** How an application's frames are told apart: `*` in a pattern stands for any text. */
export const CrashRule = z
  .object({
    kind: z.enum(['app', 'system', 'skip']),
    pattern: z
      .string()
      .trim()
      .min(1)
      .max(300)
      .refine((text) => toCleanName(text) === text, 'must not contain control characters or direction overrides')
      .meta({ examples: ['com.example.*'] }),
  })
  .meta({ id: 'CrashRule' })
export type CrashRule = z.infer<typeof CrashRule>

export const CrashRules = z.object({ rules: z.array(CrashRule).max(200) }).meta({ id: 'CrashRules' })
export type CrashRules = z.infer<typeof CrashRules>

export const StabilityQuery = z.object({
  version: text('412').max(500).optional(),
  environment: text('production')
    .max(64)
    .optional()
    .meta({ description: '`all`, or one; without it the one with the most sessions' }),
})
export type StabilityQuery = z.infer<typeof StabilityQuery>

export const InstallQuery = z.object({
  installId: text('a7c1f0de-53b2-4c8e-9d10-2f4b6a8c0e13').min(1).max(512),
})
export type InstallQuery = z.infer<typeof InstallQuery>
