import { z } from 'zod'
import { CrashKind } from './crash-kinds.ts'
import { CrashRelease } from './crash-groups.ts'
import { MissingSymbols } from './stability.ts'
import { TestRun, Verdict } from './test-runs.ts'
import { text } from './text.ts'
import { Id, Instant } from './values.ts'

const Rate = z
  .number()
  .nullable()
  .meta({ description: 'From 0 to 1; null when no session was started', examples: [0.9976] })

const SomeCount = z
  .int()
  .min(0)
  .max(100)
  .meta({ description: '100 stands for 100 or more', examples: [3] })

const TestResultOfBuild = TestRun.shape.result.nullable()

/** A build with its size, for the size over builds. */
export const BuildSize = z
  .object({
    buildId: Id.meta({ examples: [412] }),
    shortVersion: text('2.4.0'),
    version: text('412'),
    size: z.int().meta({ examples: [18_734_112] }),
    uploadedDate: Instant,
  })
  .meta({ id: 'BuildSize' })
export type BuildSize = z.infer<typeof BuildSize>

const OverviewBuild = z
  .object({
    id: Id.meta({ examples: [412] }),
    shortVersion: text('2.4.0'),
    version: text('412'),
    uploadedDate: Instant,
    installUrl: text('https://fairlead.example.com/install/Zk3v8QmT1yXw5RbN7cHs2L'),
    isExpired: z.boolean(),
    branch: text('main').nullable(),
    commit: text('9c1e0f4b7d2a6853e1f0c9b8a7d6e5f4c3b2a190').nullable(),
    releaseNotes: text('Charts load twice as fast').nullable(),
    size: z.int().meta({ examples: [18_734_112] }),
    sizeChange: z
      .int()
      .nullable()
      .meta({ description: 'In bytes, from the build before; null for a first build', examples: [-24_576] }),
    previousBuildId: Id.meta({ examples: [411] }).nullable(),
    missingSymbolsCount: z
      .int()
      .nullable()
      .meta({ description: 'Images whose symbols are missing; null for a build that needs none', examples: [0] }),
    verdict: TestResultOfBuild.meta({ description: 'Of its test runs; null without any', examples: ['pass'] }),
    verdictReasons: Verdict.shape.reasons.meta({
      description: 'Why it is so. A build fails for known failures and for tests that vanished, a run does not.',
    }),
    testRuns: z
      .array(z.object({ id: Id.meta({ examples: [540] }), result: TestRun.shape.result }))
      .meta({ description: 'The newest 5 of its test runs, newest first, each with its own result' }),
  })
  .meta({ id: 'OverviewBuild' })

const counts = {
  startedCount: z.int().meta({ examples: [12608] }),
  crashedCount: z.int().meta({ examples: [30] }),
  crashFreeRate: Rate,
}

/** The sessions of a release in the last 14 days. */
export const ReleaseHealth = CrashRelease.extend({
  ...counts,
  firstSeenDate: Instant,
  buildId: Id.meta({ examples: [412] }).nullable(),
  adoptionRate: z
    .number()
    .nullable()
    .meta({ description: 'The share of the sessions of the last 7 days', examples: [0.62] }),
  days: z.array(z.object({ date: z.iso.date(), startedCount: z.int(), crashedCount: z.int() })).meta({
    description: 'Days with sessions, oldest first',
  }),
}).meta({ id: 'ReleaseHealth' })
export type ReleaseHealth = z.infer<typeof ReleaseHealth>

export const OverviewCrashGroup = z
  .object({
    id: Id.meta({ examples: [65] }),
    kind: CrashKind,
    title: text('IllegalStateException: no chart'),
    culprit: text('com.example.lighthouse.chart.ChartLoader.load').nullable(),
    message: text('no chart for tile 7').nullable(),
    crashCount: z.int().meta({ examples: [42] }),
    installCount: z.int().meta({ examples: [57] }),
    firstSeenDate: Instant,
    lastSeenDate: Instant,
    firstRelease: CrashRelease.nullable(),
  })
  .meta({ id: 'OverviewCrashGroup' })
export type OverviewCrashGroup = z.infer<typeof OverviewCrashGroup>

export const OverviewTest = z
  .object({
    id: Id.meta({ examples: [88] }),
    suite: text('androidTest').nullable(),
    class: text('com.example.lighthouse.ChartTest').nullable(),
    name: text('loadsChart'),
    runId: Id.meta({ description: 'Its last run on the default branch', examples: [540] }).nullable(),
    flippedDate: Instant.nullable().meta({ description: 'When it last failed and passed on one commit' }),
  })
  .meta({ id: 'OverviewTest' })
export type OverviewTest = z.infer<typeof OverviewTest>

/** What a release manager asks first: is the release healthy, what is new, what has to be done. */
export const ApplicationOverview = z
  .object({
    applicationId: Id.meta({ examples: [7] }),
    newestBuild: OverviewBuild.nullable(),
    sizes: z.array(BuildSize).meta({ description: 'Of the newest 20 builds, oldest first' }),
    stability: z.object({
      environment: text('production').meta({ description: 'The one with the most sessions' }),
      ...counts,
      previousCrashFreeRate: Rate.meta({ description: 'Of the 14 days before these' }),
      days: z
        .array(z.object({ date: z.iso.date(), ...counts }))
        .meta({ description: 'The last 14 days in UTC, oldest first' }),
      releases: z.array(ReleaseHealth).meta({ description: 'Those with most sessions, at most 6, newest first' }),
    }),
    newCrashGroups: z.object({
      count: SomeCount,
      worst: z.array(OverviewCrashGroup).meta({ description: 'The 3 with most crashes' }),
    }),
    missingSymbols: z.array(MissingSymbols).meta({
      description: 'The 3 that most crashes wait for, counted in the newest 200 stacks that wait',
    }),
    tests: z.object({
      latestRun: TestRun.nullable().meta({ description: 'The newest complete run of the default branch' }),
      failingCount: SomeCount,
      failing: z.array(OverviewTest).meta({ description: 'At most 5' }),
      flakyCount: SomeCount.meta({ description: 'Tests that became flaky in the last 14 days' }),
      flaky: z.array(OverviewTest).meta({ description: 'At most 5' }),
    }),
  })
  .meta({ id: 'ApplicationOverview' })
export type ApplicationOverview = z.infer<typeof ApplicationOverview>

/** A line of the overview, for lists of applications. */
export const OverviewLine = z
  .object({
    applicationId: Id.meta({ examples: [7] }),
    crashFreeRate: Rate.meta({ description: 'Of the sessions of the last 14 days' }),
    newCrashGroupCount: SomeCount,
    testResult: TestResultOfBuild.meta({
      description: 'Of the newest complete run of the default branch',
      examples: ['pass'],
    }),
    failingTestCount: SomeCount,
    flakyTestCount: SomeCount,
    lacksSymbols: z.boolean().meta({ description: 'Whether crashes wait for symbols' }),
  })
  .meta({ id: 'OverviewLine' })
export type OverviewLine = z.infer<typeof OverviewLine>
