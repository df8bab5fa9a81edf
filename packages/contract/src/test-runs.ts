import { z } from 'zod'
import { Id, Instant, OrderedPage, Page, Sha256 } from './values.ts'
import { text } from './text.ts'

/** `failed` includes errored cases. A flaky case passed after a failed attempt and counts in `passed` as well. */
export const TestCounts = z
  .object({
    cases: z.int(),
    passed: z.int(),
    failed: z.int(),
    skipped: z.int(),
    flaky: z.int(),
    attempts: z.int(),
  })
  .meta({ id: 'TestCounts' })
export type TestCounts = z.infer<typeof TestCounts>

export const TestReportWarning = z.object({
  code: z.string(),
  file: z.string().nullable().meta({ description: 'The path inside the archive' }),
  line: z.int().nullable(),
  detail: z.string(),
})

/** How many failed cases each class has. */
const FailureCounts = z.object({
  new: z.int(),
  known: z.int(),
  flaky: z.int(),
  quarantined: z.int(),
  infrastructure: z.int(),
})

export const TestRun = z
  .object({
    id: Id.meta({ examples: [540] }),
    applicationId: Id.meta({ examples: [7] }),
    key: text('ci-9317').nullable(),
    branch: text('main').nullable(),
    commit: text('9c1e0f4b7d2a6853e1f0c9b8a7d6e5f4c3b2a190').nullable(),
    baseCommit: text('4e2d7c1b0a9f8e6d5c4b3a291807f6e5d4c3b2a1').nullable(),
    ciUrl: text('https://ci.example.com/lighthouse/runs/9317').nullable(),
    buildId: Id.meta({ examples: [412] }).nullable(),
    attempt: z.int().meta({ description: 'The highest run attempt that came', examples: [1] }),
    state: z.enum(['open', 'complete']).meta({ examples: ['complete'] }),
    isIncomplete: z.boolean().meta({ description: 'A broken file was left out, or shards are missing' }),
    shards: z.object({
      expected: z
        .int()
        .nullable()
        .meta({ examples: [2] }),
      received: z.array(z.int()).meta({ examples: [[1, 2]] }),
    }),
    counts: TestCounts,
    durationMs: z
      .number()
      .nullable()
      .meta({ description: 'Of all its cases together; null before it is judged', examples: [184_200] }),
    result: z.enum(['pass', 'fail', 'pending', 'noTests']).meta({ description: 'The result of its verdict' }),
    failures: FailureCounts.nullable().meta({ description: 'Its failures by class; null before it is judged' }),
    createdDate: Instant,
    completedDate: Instant.nullable(),
  })
  .meta({ id: 'TestRun' })
export type TestRun = z.infer<typeof TestRun>

/** `counts` are of this report, `run.counts` of the whole run. */
export const TestReport = z
  .object({
    id: Id,
    duplicate: z.boolean(),
    sha256: Sha256,
    format: z.enum(['junit', 'ctrf', 'allure', 'xcresulttool', 'xcresult', 'instrumentation', 'archive']),
    counts: TestCounts,
    unlisted: z.int().meta({
      description: 'How many tests or failures its totals announce beyond those that it holds',
      examples: [0],
    }),
    warnings: z.array(TestReportWarning).meta({ examples: [[]] }),
    run: TestRun,
  })
  .meta({ id: 'TestReport' })
export type TestReport = z.infer<typeof TestReport>

export const TestOutcome = z.enum(['passed', 'failed', 'skipped'])
export type TestOutcome = z.infer<typeof TestOutcome>

export const FailureClass = z.enum(['infrastructure', 'quarantined', 'flaky', 'known', 'new'])
export type FailureClass = z.infer<typeof FailureClass>

export const TestResult = z
  .object({
    testId: Id.meta({ examples: [88] }),
    suite: text('androidTest').nullable(),
    class: text('com.example.lighthouse.ChartTest').nullable(),
    name: text('loadsChart'),
    parameters: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    file: text('ChartTest.kt').nullable(),
    environment: text('Pixel 9, API 36').nullable(),
    case: z.int().meta({ description: 'Counts equal tests of one run and environment from 1' }),
    outcome: TestOutcome,
    isFlaky: z.boolean(),
    durationMs: z
      .number()
      .nullable()
      .meta({ examples: [1840.5] }),
    attempts: z.array(
      z.object({
        outcome: TestOutcome,
        durationMs: z
          .number()
          .nullable()
          .meta({ examples: [1840.5] }),
        message: text('expected 12 bars but was 0').nullable(),
      }),
    ),
    classification: FailureClass.nullable(),
    failureId: Id.meta({ examples: [1203] }).nullable(),
    groupId: Id.meta({ examples: [65] }).nullable(),
    attachmentCount: z.int().meta({ description: 'Attachments of all its attempts' }),
  })
  .meta({ id: 'TestResult' })
export type TestResult = z.infer<typeof TestResult>

export const ListTestRuns = Page.extend({
  branch: text('main').max(1000).optional(),
  commit: text('9c1e0f4b7d2a6853e1f0c9b8a7d6e5f4c3b2a190').max(1000).optional(),
  key: text('ci-9317').max(200).optional(),
})
export type ListTestRuns = z.infer<typeof ListTestRuns>

const OneReport = z.coerce
  .number()
  .int()
  .positive()
  .optional()
  .meta({ description: 'counts the cases of this report alone, such as those of one job', examples: [57] })

export const VerdictQuery = z.object({ reportId: OneReport })
export type VerdictQuery = z.infer<typeof VerdictQuery>

export const ListTestResults = OrderedPage.extend({
  outcome: TestOutcome.optional(),
  classification: FailureClass.optional(),
  reportId: OneReport,
})
export type ListTestResults = z.infer<typeof ListTestResults>

export const Verdict = z
  .object({
    result: z.enum(['pass', 'fail', 'pending', 'noTests']),
    reasons: z.array(
      z.object({
        code: z.enum(['new', 'infrastructure', 'known', 'vanished', 'noTests', 'open']),
        count: z.int(),
        detail: text('1 test fails that passed before'),
      }),
    ),
    counts: FailureCounts.extend({ passed: z.int(), skipped: z.int() }),
    crashes: z.array(
      z.object({
        failureId: Id.meta({ examples: [1203] }),
        testId: Id.meta({ examples: [88] }),
        title: text('IllegalStateException: no chart'),
      }),
    ),
    base: z
      .object({
        runId: Id.meta({ examples: [540] }),
        commit: text('9c1e0f4b7d2a6853e1f0c9b8a7d6e5f4c3b2a190').nullable(),
      })
      .nullable(),
  })
  .meta({ id: 'Verdict' })
export type Verdict = z.infer<typeof Verdict>

/** The failures of a run that share a group. Failures without a group are left out. */
export const FailureGroupOfRun = z
  .object({
    groupId: Id.meta({ examples: [65] }),
    title: text('AssertionError: expected 12 bars but was 0'),
    frames: z.array(z.string()).meta({
      description: 'Of the app, innermost first',
      examples: [['com.example.lighthouse.ChartTest.loadsChart']],
    }),
    count: z.int().meta({ description: 'Cases of the run that failed this way' }),
    testCount: z.int(),
    classifications: z.array(FailureClass),
    failureId: Id.meta({ description: 'One of the failures', examples: [1203] }),
    testId: Id.meta({ description: 'The test of that failure', examples: [88] }),
    firstRunId: Id.nullable().meta({ description: 'The first complete run in which the group was seen' }),
  })
  .meta({ id: 'FailureGroupOfRun' })
export type FailureGroupOfRun = z.infer<typeof FailureGroupOfRun>

/** `base` is the older run. Tests are compared by identity, environment and case. */
export const TestComparison = z
  .object({
    base: z.object({ runId: Id.meta({ examples: [540] }) }),
    counts: z.object({
      newFailures: z.int(),
      fixed: z.int(),
      stillFailing: z.int(),
      appeared: z.int(),
      vanished: z.int(),
    }),
    newFailures: z.array(TestResult),
    fixed: z.array(TestResult),
    stillFailing: z.array(TestResult),
    appeared: z.array(TestResult),
    vanished: z.array(TestResult),
  })
  .meta({ id: 'TestComparison' })
export type TestComparison = z.infer<typeof TestComparison>

export const CompareRuns = z.object({
  to: text('539')
    .regex(/^[1-9]\d{0,14}$/, 'must be the ID of the older run')
    .transform(Number),
})
