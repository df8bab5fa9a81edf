import { z } from 'zod'
import { SymbolicatedCrash } from './symbolicate.ts'
import { TestOutcome, TestResult } from './test-runs.ts'
import { Id, Instant, OrderedPage } from './values.ts'
import { text } from './text.ts'

const RunReference = z.object({
  runId: Id.meta({ examples: [540] }),
  commit: text('9c1e0f4b7d2a6853e1f0c9b8a7d6e5f4c3b2a190').nullable(),
})

export const TestState = z.enum(['healthy', 'suspect', 'flaky', 'failing', 'quarantined'])
export type TestState = z.infer<typeof TestState>

export const Quarantine = z
  .object({
    id: Id,
    testId: Id.meta({ examples: [88] }),
    reason: text('The staging server answers late; see issue 118'),
    createdDate: Instant,
    expirationDate: Instant.meta({ examples: ['2026-12-05T09:30:00.000Z'] }),
  })
  .meta({ id: 'Quarantine' })
export type Quarantine = z.infer<typeof Quarantine>

const DurationsOfTest = z.object({ runs: z.int(), meanMs: z.number().nullable() })

export const Test = z
  .object({
    id: Id.meta({ examples: [88] }),
    applicationId: Id.meta({ examples: [7] }),
    suite: text('androidTest').nullable(),
    class: text('com.example.lighthouse.ChartTest').nullable(),
    name: text('loadsChart'),
    parameters: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    file: text('ChartLoader.kt').nullable(),
    state: TestState,
    flips: z.array(
      z.object({
        commit: text('9c1e0f4b7d2a6853e1f0c9b8a7d6e5f4c3b2a190').nullable(),
        environment: text('Pixel 9, API 36').nullable(),
      }),
    ),
    lastOutcome: z.enum(['passed', 'failed', 'skipped']).nullable(),
    p95Ms: z
      .number()
      .nullable()
      .meta({ examples: [2310] }),
    owner: text('mara@example.com').nullable(),
    range: z
      .array(
        z.object({
          branch: text('main').nullable(),
          environment: text('Pixel 9, API 36').nullable(),
          lastPassed: RunReference.nullable(),
          firstFailed: RunReference,
        }),
      )
      .meta({ description: 'One entry for each branch and environment that fails now' }),
    recent: z.array(
      z.object({
        runId: Id.meta({ examples: [540] }),
        environment: text('Pixel 9, API 36').nullable(),
        outcome: z.enum(['passed', 'failed', 'skipped']),
        isFlaky: z.boolean(),
        durationMs: z
          .number()
          .nullable()
          .meta({ examples: [1840.5] }),
      }),
    ),
    quarantine: Quarantine.nullable().meta({ description: 'The one that ends last, if the test is quarantined now' }),
    flakeCost: z.number().meta({ description: 'The minutes that failures cost, weighted by their rate' }),
    lastMonth: DurationsOfTest.meta({ description: 'The last 30 days' }),
    monthBefore: DurationsOfTest.meta({ description: 'The 30 days before those' }),
  })
  .meta({ id: 'Test' })
export type Test = z.infer<typeof Test>

export const ListTests = OrderedPage.extend({
  state: z.enum(['flaky', 'slow', 'failing', 'quarantined']).optional(),
  q: z
    .string()
    .max(200)
    .optional()
    .meta({ description: 'Searches suite, class and name', examples: ['2.4'] }),
  sort: z
    .enum(['newest', 'name', 'p95'])
    .optional()
    .meta({
      description:
        'The order of all tests: `newest` unless given; `name` is by suite, class and name; `p95` begins with the ' +
        'slowest. Not with `state`, because these lists have orders of their own.',
      examples: ['name'],
    }),
}).refine(({ state, sort }) => state === undefined || sort === undefined, {
  path: ['sort'],
  message: 'is only for the list of all tests, without state',
})
export type ListTests = z.infer<typeof ListTests>

export const UpdateTest = z.object({
  owner: text('mara@example.com').max(200).nullish(),
  mergedInto: Id.nullish().meta({ examples: [null] }),
})
export type UpdateTest = z.infer<typeof UpdateTest>

export const ResultOfTest = TestResult.extend({
  runId: Id.meta({ examples: [540] }),
  branch: text('main').nullable().meta({ description: 'The branch of its run' }),
  commit: text('9c1e0f4b7d2a6853e1f0c9b8a7d6e5f4c3b2a190').nullable(),
  runDate: Instant.meta({ description: 'When the first report of its run came' }),
}).meta({ id: 'ResultOfTest' })
export type ResultOfTest = z.infer<typeof ResultOfTest>

/** A quarantine without a reason is refused with 422. */
export const CreateQuarantine = z.object({
  testId: z.int().meta({ examples: [88] }),
  reason: text('The staging server answers late; see issue 118').max(1000).nullish(),
  expirationDate: z.iso
    .datetime({ offset: true })
    .nullish()
    .meta({ description: 'At most 14 days from now, which is the default', examples: [null] }),
})
export type CreateQuarantine = z.infer<typeof CreateQuarantine>

export const TestFailureGroup = z
  .object({
    id: Id,
    title: text('AssertionError: expected 12 bars but was 0'),
    type: text('java.lang.AssertionError').nullable(),
    frames: z.array(z.string()).meta({ examples: [['com.example.lighthouse.ChartTest.loadsChart']] }),
    firstRunId: Id.meta({ examples: [540] }).nullable(),
    lastRunId: Id.meta({ examples: [540] }).nullable(),
    createdDate: Instant,
  })
  .meta({ id: 'TestFailureGroup' })
export type TestFailureGroup = z.infer<typeof TestFailureGroup>

/** A file that a case names. Bytes are at `/v1/testAttachments/{id}`. */
export const TestAttachment = z
  .object({
    id: Id.meta({ examples: [77] }),
    name: text('screenshot.png'),
    contentType: text('image/png').nullable(),
    size: z.int().meta({ examples: [24117248] }),
    attempt: z
      .int()
      .nullable()
      .meta({ description: 'The attempt that it belongs to, from 1, if the report says so', examples: [1] }),
  })
  .meta({ id: 'TestAttachment' })
export type TestAttachment = z.infer<typeof TestAttachment>

/** An attachment of a case of a run, whether the case passed or failed. */
export const AttachmentOfResult = TestAttachment.extend({
  environment: text('Pixel 9, API 36').nullable(),
  case: z.int(),
}).meta({ id: 'AttachmentOfResult' })
export type AttachmentOfResult = z.infer<typeof AttachmentOfResult>

/** A crash that was found in a failure, with frames resolved by the symbols of the run's build. */
export const TestCrash = z
  .object({
    source: z
      .string()
      .meta({ description: '`failure`, `output`, or the name of an attachment', examples: ['failure'] }),
    crash: SymbolicatedCrash,
  })
  .meta({ id: 'TestCrash' })
export type TestCrash = z.infer<typeof TestCrash>

export const TestFailure = z
  .object({
    id: Id.meta({ examples: [1203] }),
    runId: Id.meta({ examples: [540] }),
    testId: Id.meta({ examples: [88] }),
    groupId: Id.meta({ examples: [65] }).nullable(),
    type: text('java.lang.AssertionError').nullable(),
    message: text('expected 12 bars but was 0').nullable(),
    place: z
      .object({
        file: text('ChartTest.kt'),
        line: z
          .int()
          .nullable()
          .meta({ examples: [31] }),
      })
      .nullable(),
    attempts: z.array(
      z.object({
        outcome: TestOutcome,
        durationMs: z
          .number()
          .nullable()
          .meta({ examples: [1840.5] }),
        failures: z.array(
          z.object({
            type: text('java.lang.AssertionError').nullable(),
            message: text('expected 12 bars but was 0').nullable(),
            text: text(
              'java.lang.AssertionError: expected 12 bars but was 0\n\tat ChartTest.loadsChart(ChartTest.kt:31)',
            ),
          }),
        ),
      }),
    ),
    outputs: z.array(z.object({ stream: z.enum(['out', 'err']), text: text('Chart requested\n') })),
    attachments: z.array(TestAttachment),
    crashes: z.array(TestCrash),
    commit: text('9c1e0f4b7d2a6853e1f0c9b8a7d6e5f4c3b2a190').nullable(),
  })
  .meta({ id: 'TestFailure' })
export type TestFailure = z.infer<typeof TestFailure>
