import { z } from 'zod'
import { Id, Instant, OrderedPage, Page, Sha256 } from './values.ts'

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

export const TestRun = z
  .object({
    id: Id,
    applicationId: Id,
    key: z.string().nullable(),
    branch: z.string().nullable(),
    commit: z.string().nullable(),
    baseCommit: z.string().nullable(),
    ciUrl: z.string().nullable(),
    buildId: Id.nullable(),
    attempt: z.int().meta({ description: 'The highest run attempt that came' }),
    state: z.enum(['open', 'complete']),
    isIncomplete: z.boolean().meta({ description: 'A broken file was left out, or shards are missing' }),
    shards: z.object({ expected: z.int().nullable(), received: z.array(z.int()) }),
    counts: TestCounts,
    result: z.enum(['pass', 'fail', 'pending', 'noTests']).meta({ description: 'The result of its verdict' }),
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
    warnings: z.array(TestReportWarning),
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
    testId: Id,
    suite: z.string().nullable(),
    class: z.string().nullable(),
    name: z.string(),
    parameters: z.string().nullable(),
    file: z.string().nullable(),
    environment: z.string().nullable(),
    case: z.int().meta({ description: 'Counts equal tests of one run and environment from 1' }),
    outcome: TestOutcome,
    isFlaky: z.boolean(),
    durationMs: z.number().nullable(),
    attempts: z.array(
      z.object({ outcome: TestOutcome, durationMs: z.number().nullable(), message: z.string().nullable() }),
    ),
    classification: FailureClass.nullable(),
    failureId: Id.nullable(),
    groupId: Id.nullable(),
    attachmentCount: z.int().meta({ description: 'Attachments of all its attempts' }),
  })
  .meta({ id: 'TestResult' })
export type TestResult = z.infer<typeof TestResult>

export const ListTestRuns = Page.extend({
  branch: z.string().max(1000).optional(),
  commit: z.string().max(1000).optional(),
  key: z.string().max(200).optional(),
})
export type ListTestRuns = z.infer<typeof ListTestRuns>

export const ListTestResults = OrderedPage.extend({
  outcome: TestOutcome.optional(),
  classification: FailureClass.optional(),
})
export type ListTestResults = z.infer<typeof ListTestResults>

export const Verdict = z
  .object({
    result: z.enum(['pass', 'fail', 'pending', 'noTests']),
    reasons: z.array(
      z.object({
        code: z.enum(['new', 'infrastructure', 'known', 'vanished', 'noTests', 'open']),
        count: z.int(),
        detail: z.string(),
      }),
    ),
    counts: z.object({
      new: z.int(),
      known: z.int(),
      flaky: z.int(),
      quarantined: z.int(),
      infrastructure: z.int(),
      passed: z.int(),
      skipped: z.int(),
    }),
    crashes: z.array(z.object({ failureId: Id, testId: Id, title: z.string() })),
    base: z.object({ runId: Id, commit: z.string().nullable() }).nullable(),
  })
  .meta({ id: 'Verdict' })
export type Verdict = z.infer<typeof Verdict>

/** The failures of a run that share a group. Failures without a group are left out. */
export const FailureGroupOfRun = z
  .object({
    groupId: Id,
    title: z.string(),
    frames: z.array(z.string()).meta({ description: 'Of the app, innermost first' }),
    count: z.int().meta({ description: 'Cases of the run that failed this way' }),
    testCount: z.int(),
    classifications: z.array(FailureClass),
    failureId: Id.meta({ description: 'One of the failures' }),
    testId: Id.meta({ description: 'The test of that failure' }),
    firstRunId: Id.nullable().meta({ description: 'The first complete run in which the group was seen' }),
  })
  .meta({ id: 'FailureGroupOfRun' })
export type FailureGroupOfRun = z.infer<typeof FailureGroupOfRun>

/** `base` is the older run. Tests are compared by identity, environment and case. */
export const TestComparison = z
  .object({
    base: z.object({ runId: Id }),
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
  to: z
    .string()
    .regex(/^[1-9]\d{0,14}$/, 'must be the ID of the older run')
    .transform(Number),
})
