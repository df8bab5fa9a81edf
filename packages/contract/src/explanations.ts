/**
 * Answers to "why does this fail, since when, and who changed it". Text that was written by apps, testers and CI stands
 * under a key `untrusted` and nowhere else, because people and coding agents read these answers.
 */
import { z } from 'zod'
import { CommitState } from './commits.ts'
import { CrashGroupStatus, CrashKind } from './crash-kinds.ts'
import { Id, Instant } from './values.ts'
import { text } from './text.ts'

const exampleCommit = '9c1e0f4b7d2a6853e1f0c9b8a7d6e5f4c3b2a190'
const examplePath = 'app/src/main/java/com/example/lighthouse/chart/ChartLoader.kt'
const line = z
  .int()
  .nullable()
  .meta({ examples: [84] })
const Sentences = z.array(z.string()).meta({
  description: 'what to do next',
  examples: [['Open the file of `location` at its line.']],
})

/** Texts of this answer that were cut. */
const More = z
  .array(z.object({ field: z.string(), ref: z.string(), characters: z.int() }))
  .meta({ description: 'texts that were cut', examples: [[]] })

export const CrashBrief = z
  .object({
    crashGroupId: Id.meta({ examples: [65] }),
    kind: CrashKind,
    status: CrashGroupStatus,
    crashCount: z.int().meta({ examples: [42] }),
    installCount: z.int().meta({ examples: [57] }),
    firstSeenDate: Instant,
    lastSeenDate: Instant,
    isRegressed: z.boolean(),
    url: text('https://fairlead.example.com/apps/lighthouse/crashes/65'),
    untrusted: z.object({
      title: text('IllegalStateException: no chart'),
      culprit: text('com.example.lighthouse.chart.ChartLoader.load').nullable(),
      exceptionTypes: z.array(z.string()).meta({ examples: [['java.lang.IllegalStateException']] }),
    }),
  })
  .meta({ id: 'CrashBrief' })
export type CrashBrief = z.infer<typeof CrashBrief>

export const ExplainedFrame = z
  .object({
    index: z.int().meta({ examples: [0] }),
    line,
    isApp: z.boolean(),
    isInlined: z.boolean(),
    isResolved: z.boolean().meta({ description: 'class, method and line came from symbols on this server' }),
    untrusted: z.object({
      function: text('com.example.lighthouse.chart.ChartLoader.load').nullable(),
      file: text('ChartLoader.kt').nullable(),
      className: text('com.example.lighthouse.chart.ChartLoader').nullable(),
      module: z
        .string()
        .nullable()
        .meta({ examples: [null] }),
    }),
  })
  .meta({ id: 'ExplainedFrame' })
export type ExplainedFrame = z.infer<typeof ExplainedFrame>

/** Where to look: the innermost frame of the app that has a line. */
export const FailureLocation = z
  .object({
    frame: z.int().meta({ description: 'its index among the frames', examples: [0] }),
    line: z.int().meta({ examples: [84] }),
    untrusted: z.object({
      file: text('ChartLoader.kt').nullable().meta({ description: 'the name alone' }),
      function: text('com.example.lighthouse.chart.ChartLoader.load').nullable(),
      path: text(examplePath).nullable().meta({ description: 'in the repository, if commits hold it' }),
    }),
  })
  .meta({ id: 'FailureLocation' })
export type FailureLocation = z.infer<typeof FailureLocation>

export const SuspectReason = z.object({
  code: z.enum(['line', 'file', 'fileName', 'directory']).meta({ examples: ['line'] }),
  frame: z.int().meta({ description: 'index of the frame that points to the file', examples: [0] }),
  line,
})

/** A commit that may have caused a failure. */
export const SuspectCommit = z
  .object({
    rank: z.int().meta({ examples: [1] }),
    score: z.number().meta({ description: 'from 0 to 1', examples: [0.77] }),
    commit: text(exampleCommit),
    date: Instant,
    buildId: Id.meta({ description: 'the build that it came with', examples: [412] }),
    reasons: z.array(SuspectReason),
    untrusted: z.object({
      paths: z.array(z.string()).meta({ description: 'at most 5', examples: [[examplePath]] }),
      subject: text('Load charts in the background').nullable(),
      author: text('Mara Lindqvist').nullable(),
    }),
  })
  .meta({ id: 'SuspectCommit' })
export type SuspectCommit = z.infer<typeof SuspectCommit>

/** Owners of a file by CODEOWNERS. */
export const FileOwners = z.object({
  untrusted: z.object({
    path: text(examplePath),
    owners: z.array(z.string()).meta({ examples: [['@example/charts']] }),
  }),
})
export type FileOwners = z.infer<typeof FileOwners>

export const CrashExplanation = CrashBrief.extend({
  applicationId: Id.meta({ examples: [7] }),
  crash: z
    .object({
      crashId: Id.meta({ examples: [9001] }),
      occurredDate: Instant,
      buildId: Id.nullable().meta({ examples: [412] }),
      untrusted: z.object({
        exceptions: z.array(
          z.object({ type: text('java.lang.IllegalStateException'), message: text('no chart').nullable() }),
        ),
        deviceModel: text('Pixel 9').nullable(),
        osName: text('Android').nullable(),
        osVersion: text('16').nullable(),
        shortVersion: text('2.4.0').nullable(),
        version: text('412').nullable(),
      }),
    })
    .nullable()
    .meta({ description: 'the newest whose frames are resolved, else the newest; null if none is kept' }),
  location: FailureLocation.nullable(),
  frames: z.array(ExplainedFrame).meta({ description: 'at most 20, innermost first' }),
  introduced: z.object({
    buildId: Id.nullable().meta({ description: 'the first build that has the group', examples: [412] }),
    previousBuildId: Id.nullable().meta({ examples: [409] }),
    isCertain: z.boolean().meta({ description: 'the build before was used and did not crash like this' }),
    commits: CommitState,
  }),
  suspects: z.array(SuspectCommit).meta({ description: 'at most 5, most suspect first' }),
  owners: z.array(FileOwners),
  tests: z.array(
    z.object({
      testId: Id.meta({ examples: [88] }),
      failureId: Id.meta({ examples: [1203] }),
      testRunId: Id.meta({ examples: [540] }),
      untrusted: z.object({ name: text('com.example.lighthouse.ChartTest loadsChart') }),
    }),
  ),
  missingSymbols: z.array(
    z.object({
      kind: text('proguard'),
      uuid: z
        .string()
        .nullable()
        .meta({ examples: [null] }),
      command: text('fairlead symbols upload mapping.txt --app lighthouse'),
    }),
  ),
  build: z
    .object({
      buildId: Id.meta({ examples: [412] }),
      sizeBytes: z.int().meta({ examples: [24117248] }),
      sizeChangeBytes: z
        .int()
        .nullable()
        .meta({ examples: [20480] }),
    })
    .nullable(),
  more: More,
  next: Sentences,
}).meta({ id: 'CrashExplanation' })
export type CrashExplanation = z.infer<typeof CrashExplanation>

const RunOfRange = z.object({
  testRunId: Id.meta({ examples: [540] }),
  commit: text(exampleCommit).nullable(),
  buildId: Id.nullable().meta({ examples: [412] }),
})

export const TestFailureExplanation = z
  .object({
    failureId: Id.meta({ examples: [1203] }),
    testId: Id.meta({ examples: [88] }),
    testRunId: Id.meta({ examples: [540] }),
    classification: z.enum(['infrastructure', 'quarantined', 'flaky', 'known', 'new']).nullable(),
    location: FailureLocation.nullable(),
    range: z.object({ lastPassed: RunOfRange.nullable(), firstFailed: RunOfRange.nullable() }),
    suspects: z.array(SuspectCommit).meta({ description: 'at most 5, most suspect first' }),
    owners: z.array(FileOwners),
    crashGroups: z.array(CrashBrief),
    untrusted: z.object({
      suite: text('androidTest').nullable(),
      class: text('com.example.lighthouse.ChartTest').nullable(),
      name: text('loadsChart'),
      type: text('java.lang.AssertionError').nullable(),
      message: text('expected 12 bars but was 0').nullable(),
      text: text('java.lang.AssertionError: expected 12 bars but was 0').nullable(),
      output: text('Chart requested\n').nullable(),
    }),
    more: More,
    next: Sentences,
  })
  .meta({ id: 'TestFailureExplanation' })
export type TestFailureExplanation = z.infer<typeof TestFailureExplanation>

/** A test whose result differs between two builds. */
export const ChangedTest = z.object({
  testId: Id.meta({ examples: [88] }),
  failureId: Id.nullable().meta({ examples: [1203] }),
  testRunId: Id.meta({ examples: [540] }),
  untrusted: z.object({
    suite: text('androidTest').nullable(),
    class: text('com.example.lighthouse.ChartTest').nullable(),
    name: text('loadsChart'),
  }),
})
export type ChangedTest = z.infer<typeof ChangedTest>

export const ComparedCommit = z.object({
  commit: text(exampleCommit),
  date: Instant,
  buildId: Id.meta({ description: 'the build that it came with', examples: [412] }),
  fileCount: z.int().meta({ examples: [4] }),
  untrusted: z.object({
    paths: z.array(z.string()).meta({ description: 'the first 5', examples: [[examplePath]] }),
    subject: text('Load charts in the background').nullable(),
    author: text('Mara Lindqvist').nullable(),
  }),
})
export type ComparedCommit = z.infer<typeof ComparedCommit>

export const BuildComparison = z
  .object({
    buildId: Id.meta({ examples: [412] }),
    baseBuildId: Id.nullable().meta({ examples: [409] }),
    sizeChangeBytes: z
      .int()
      .nullable()
      .meta({ examples: [20480] }),
    commits: CommitState.pick({ state: true, count: true }).extend({
      items: z.array(ComparedCommit).meta({ description: 'the newest 20' }),
    }),
    newCrashGroups: z.array(CrashBrief).meta({ description: 'at most 10' }),
    tests: z
      .object({
        newFailures: z.array(ChangedTest).meta({ description: 'at most 20' }),
        fixed: z.array(ChangedTest).meta({ description: 'at most 20' }),
        newFailureCount: z.int().meta({ examples: [1] }),
        fixedCount: z.int().meta({ examples: [0] }),
      })
      .nullable()
      .meta({ description: 'null unless both builds have complete test runs' }),
    next: Sentences,
  })
  .meta({ id: 'BuildComparison' })
export type BuildComparison = z.infer<typeof BuildComparison>

export const CompareBuilds = z.strictObject({
  baseBuildId: z.coerce
    .number()
    .int()
    .positive()
    .optional()
    .meta({ description: 'The older build; the one before unless given', examples: [409] }),
})

export const ExplainCrash = z.strictObject({
  crashId: z.coerce
    .number()
    .int()
    .positive()
    .optional()
    .meta({ description: 'A crash of the group that the explanation is for', examples: [9001] }),
})
