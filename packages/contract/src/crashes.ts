import { z } from 'zod'
import { toCleanName } from './shown-characters.ts'
import { SymbolicatedFrame } from './symbolicate.ts'
import { Id, Instant, Label, Page } from './values.ts'

export const CrashKind = z.enum(['crash', 'anr', 'hang', 'handled'])
export type CrashKind = z.infer<typeof CrashKind>

export const CrashSource = z.enum(['sentry', 'appcenter', 'acra', 'android', 'apple', 'metrickit'])
export type CrashSource = z.infer<typeof CrashSource>

export const CrashGroupStatus = z.enum(['open', 'resolved', 'ignored'])
export type CrashGroupStatus = z.infer<typeof CrashGroupStatus>

/** A key that apps send their crashes with. It belongs to one application and cannot read anything. */
export const CrashKey = z
  .object({
    id: Id,
    name: z.string(),
    key: z.string().regex(/^[0-9a-f]{32}$/),
    isEnabled: z.boolean(),
    createdDate: Instant,
    lastUsedDate: Instant.nullable(),
    sentryDsn: z.string().meta({ description: 'for Sentry SDKs' }),
    appCenterLogUrl: z.string().meta({ description: 'for `setLogUrl` of App Center SDKs' }),
    acraUrl: z.string().meta({ description: "for ACRA's HTTP sender" }),
  })
  .meta({ id: 'CrashKey' })
export type CrashKey = z.infer<typeof CrashKey>

export const CreateCrashKey = z.object({ name: Label })
export type CreateCrashKey = z.infer<typeof CreateCrashKey>

export const UpdateCrashKey = z.object({ name: Label.optional(), isEnabled: z.boolean().optional() })
export type UpdateCrashKey = z.infer<typeof UpdateCrashKey>

export const CrashIntake = z
  .object({
    pendingCount: z
      .int()
      .meta({ description: 'Deliveries that were acknowledged and not read, and stacks to be read again' }),
    waitingStackCount: z.int().meta({ description: 'Stacks that wait for symbols' }),
    droppedCounts: z.record(z.string(), z.int()).meta({ description: 'What was not counted as a crash, by its kind' }),
  })
  .meta({ id: 'CrashIntake' })
export type CrashIntake = z.infer<typeof CrashIntake>

export const CrashRelease = z
  .object({ package: z.string().nullable(), shortVersion: z.string().nullable(), version: z.string().nullable() })
  .meta({ id: 'CrashRelease' })
export type CrashRelease = z.infer<typeof CrashRelease>

export const CrashGroup = z
  .object({
    id: Id,
    applicationId: Id,
    kind: CrashKind,
    status: CrashGroupStatus,
    title: z.string(),
    culprit: z.string().nullable(),
    exceptionTypes: z.array(z.string()),
    key: z.array(z.string()).meta({ description: 'the lines that the crashes of the group have in common' }),
    skippedFrames: z.array(z.object({ name: z.string(), reason: z.string() })),
    crashCount: z.int(),
    installCount: z.int(),
    isInstallCountApproximate: z.boolean(),
    firstSeenDate: Instant,
    lastSeenDate: Instant,
    firstRelease: CrashRelease.nullable(),
    lastRelease: CrashRelease.nullable(),
    isRegressed: z.boolean(),
    resolvedInVersion: z.string().nullable(),
    ignoredUntilDate: Instant.nullable(),
    assignee: z.object({ id: Id, name: z.string(), email: z.string() }).nullable(),
  })
  .meta({ id: 'CrashGroup' })
export type CrashGroup = z.infer<typeof CrashGroup>

export const CrashGroupQuery = Page.extend({
  status: CrashGroupStatus.optional(),
  q: z.string().max(200).optional().meta({ description: 'Text within the title, the culprit or the key' }),
  version: z.string().max(500).optional().meta({ description: 'A version or a short version that has the crash' }),
  buildId: z.coerce.number().int().positive().optional().meta({ description: 'A build whose release has the crash' }),
  sort: z.enum(['lastSeen', 'firstSeen', 'crashes', 'installs']).optional(),
})
export type CrashGroupQuery = z.infer<typeof CrashGroupQuery>

export const UpdateCrashGroup = z.object({
  status: CrashGroupStatus.optional(),
  assigneeId: Id.nullable().optional().meta({ description: 'The account of a member' }),
  resolvedInVersion: z.string().min(1).max(500).nullable().optional(),
  ignoredUntilDate: z.iso.datetime({ offset: true }).nullable().optional(),
})
export type UpdateCrashGroup = z.infer<typeof UpdateCrashGroup>

export const MergeCrashGroups = z.object({ groupIds: z.array(Id).min(1).max(100) })
export type MergeCrashGroups = z.infer<typeof MergeCrashGroups>

export const SplitCrashGroup = z.object({ stackIds: z.array(Id).min(1).max(1000) })
export type SplitCrashGroup = z.infer<typeof SplitCrashGroup>

const counted = z.object({ value: z.string(), count: z.int() })

export const CrashGroupStatistics = z
  .object({
    days: z.array(z.object({ date: z.iso.date(), count: z.int() })),
    releases: z.array(
      CrashRelease.extend({
        count: z.int(),
        installCount: z.int(),
        isInstallCountApproximate: z.boolean(),
        buildId: Id.nullable(),
      }),
    ),
    osVersions: z.array(counted),
    deviceModels: z.array(counted),
    stacks: z.array(z.object({ id: Id, crashCount: z.int(), firstCrashId: Id.nullable(), isPinned: z.boolean() })),
  })
  .meta({ id: 'CrashGroupStatistics' })
export type CrashGroupStatistics = z.infer<typeof CrashGroupStatistics>

/** A failure of a test with the exception and the frame of a crash group. */
export const CrashTestFailure = z
  .object({ failureId: Id, testId: Id, testName: z.string(), runId: Id, runDate: Instant })
  .meta({ id: 'CrashTestFailure' })
export type CrashTestFailure = z.infer<typeof CrashTestFailure>

/** A frame in the words of the report. What it does not say is null. */
export const ReportedFrame = z
  .object({
    className: z.string().nullable(),
    methodName: z.string().nullable(),
    function: z.string().nullable(),
    line: z.int().nullable(),
    imageUuid: z.string().nullable(),
    imageOffset: z.string().nullable(),
    address: z.string().nullable(),
    module: z.string().nullable(),
  })
  .meta({ id: 'ReportedFrame' })
export type ReportedFrame = z.infer<typeof ReportedFrame>

export const CrashFrame = SymbolicatedFrame.extend({
  className: z.string().nullable(),
  isApp: z.boolean(),
  reported: ReportedFrame.nullable().meta({ description: 'null for frames that were inlined' }),
}).meta({ id: 'CrashFrame' })
export type CrashFrame = z.infer<typeof CrashFrame>

/** A crash in a list. */
export const CrashSummary = z
  .object({
    id: Id,
    applicationId: Id,
    groupId: Id,
    stackId: Id,
    source: CrashSource,
    sourceId: z.string(),
    kind: CrashKind,
    isFatal: z.boolean(),
    occurredDate: Instant,
    receivedDate: Instant,
    package: z.string().nullable(),
    shortVersion: z.string().nullable(),
    version: z.string().nullable(),
    deviceModel: z.string().nullable(),
    osName: z.string().nullable(),
    osVersion: z.string().nullable(),
    installId: z.string().nullable(),
  })
  .meta({ id: 'CrashSummary' })
export type CrashSummary = z.infer<typeof CrashSummary>

export const Crash = CrashSummary.extend({
  exceptions: z.array(z.object({ type: z.string(), message: z.string().nullable() })),
  frameCount: z.int(),
  frames: z.array(CrashFrame),
  images: z.array(z.object({ name: z.string(), uuid: z.string().nullable(), architecture: z.string().nullable() })),
  missingSymbols: z.array(z.string()),
  breadcrumbs: z.array(z.object({ date: Instant.nullable(), category: z.string().nullable(), message: z.string() })),
  buildId: Id.nullable().meta({ description: 'The build of this release, when it was uploaded here' }),
}).meta({ id: 'Crash' })
export type Crash = z.infer<typeof Crash>

export const Stability = z
  .object({
    date: z.iso.date(),
    package: z.string().nullable(),
    shortVersion: z.string().nullable(),
    version: z.string().nullable(),
    startedCount: z.int(),
    crashedCount: z.int(),
    crashFreeRate: z.number().nullable().meta({ description: 'From 0 to 1; null when no session was started' }),
  })
  .meta({ id: 'Stability' })
export type Stability = z.infer<typeof Stability>

export const MissingSymbols = z
  .object({
    kind: z.enum(['proguard', 'dsym']),
    uuid: z.string().nullable(),
    name: z.string().nullable(),
    package: z.string().nullable(),
    shortVersion: z.string().nullable(),
    version: z.string().nullable(),
    stackCount: z.int(),
    crashCount: z.int(),
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
      .refine((text) => toCleanName(text) === text, 'must not contain control characters or direction overrides'),
  })
  .meta({ id: 'CrashRule' })
export type CrashRule = z.infer<typeof CrashRule>

export const CrashRules = z.object({ rules: z.array(CrashRule).max(200) }).meta({ id: 'CrashRules' })
export type CrashRules = z.infer<typeof CrashRules>

export const StabilityQuery = z.object({ version: z.string().max(500).optional() })
export type StabilityQuery = z.infer<typeof StabilityQuery>

export const InstallQuery = z.object({ installId: z.string().min(1).max(512) })
export type InstallQuery = z.infer<typeof InstallQuery>
