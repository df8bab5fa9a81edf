import { z } from 'zod'
import { SymbolicatedCrash } from './symbolicate.ts'
import { TestOutcome, TestResult } from './test-runs.ts'
import { Id, Instant, OrderedPage } from './values.ts'

const RunReference = z.object({ runId: Id, commit: z.string().nullable() })

export const TestState = z.enum(['healthy', 'suspect', 'flaky', 'failing', 'quarantined'])
export type TestState = z.infer<typeof TestState>

export const Quarantine = z
  .object({ id: Id, testId: Id, reason: z.string(), createdDate: Instant, expirationDate: Instant })
  .meta({ id: 'Quarantine' })
export type Quarantine = z.infer<typeof Quarantine>

const DurationsOfTest = z.object({ runs: z.int(), meanMs: z.number().nullable() })

export const Test = z
  .object({
    id: Id,
    applicationId: Id,
    suite: z.string().nullable(),
    class: z.string().nullable(),
    name: z.string(),
    parameters: z.string().nullable(),
    file: z.string().nullable(),
    state: TestState,
    flips: z.array(z.object({ commit: z.string().nullable(), environment: z.string().nullable() })),
    lastOutcome: z.enum(['passed', 'failed', 'skipped']).nullable(),
    p95Ms: z.number().nullable(),
    owner: z.string().nullable(),
    range: z
      .array(
        z.object({
          branch: z.string().nullable(),
          environment: z.string().nullable(),
          lastPassed: RunReference.nullable(),
          firstFailed: RunReference,
        }),
      )
      .meta({ description: 'One entry for each branch and environment that fails now' }),
    recent: z.array(
      z.object({
        runId: Id,
        environment: z.string().nullable(),
        outcome: z.enum(['passed', 'failed', 'skipped']),
        isFlaky: z.boolean(),
        durationMs: z.number().nullable(),
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
  q: z.string().max(200).optional().meta({ description: 'Searches suite, class and name' }),
})
export type ListTests = z.infer<typeof ListTests>

export const UpdateTest = z.object({ owner: z.string().max(200).nullish(), mergedInto: Id.nullish() })
export type UpdateTest = z.infer<typeof UpdateTest>

export const ResultOfTest = TestResult.extend({ runId: Id }).meta({ id: 'ResultOfTest' })
export type ResultOfTest = z.infer<typeof ResultOfTest>

/** A quarantine without a reason is refused with 422. */
export const CreateQuarantine = z.object({
  testId: z.int(),
  reason: z.string().max(1000).nullish(),
  expirationDate: z.iso
    .datetime({ offset: true })
    .nullish()
    .meta({ description: 'At most 14 days from now, which is the default' }),
})
export type CreateQuarantine = z.infer<typeof CreateQuarantine>

export const TestFailureGroup = z
  .object({
    id: Id,
    title: z.string(),
    type: z.string().nullable(),
    frames: z.array(z.string()),
    firstRunId: Id.nullable(),
    lastRunId: Id.nullable(),
    createdDate: Instant,
  })
  .meta({ id: 'TestFailureGroup' })
export type TestFailureGroup = z.infer<typeof TestFailureGroup>

/** A file that a case names. Bytes are at `/v1/testAttachments/{id}`. */
export const TestAttachment = z
  .object({
    id: Id,
    name: z.string(),
    contentType: z.string().nullable(),
    size: z.int(),
    attempt: z.int().nullable().meta({ description: 'The attempt that it belongs to, from 1, if the report says so' }),
  })
  .meta({ id: 'TestAttachment' })
export type TestAttachment = z.infer<typeof TestAttachment>

/** An attachment of a case of a run, whether the case passed or failed. */
export const AttachmentOfResult = TestAttachment.extend({
  environment: z.string().nullable(),
  case: z.int(),
}).meta({ id: 'AttachmentOfResult' })
export type AttachmentOfResult = z.infer<typeof AttachmentOfResult>

/** A crash that was found in a failure, with frames resolved by the symbols of the run's build. */
export const TestCrash = z
  .object({
    source: z.string().meta({ description: '`failure`, `output`, or the name of an attachment' }),
    crash: SymbolicatedCrash,
  })
  .meta({ id: 'TestCrash' })
export type TestCrash = z.infer<typeof TestCrash>

export const TestFailure = z
  .object({
    id: Id,
    runId: Id,
    testId: Id,
    groupId: Id.nullable(),
    type: z.string().nullable(),
    message: z.string().nullable(),
    place: z.object({ file: z.string(), line: z.int().nullable() }).nullable(),
    attempts: z.array(
      z.object({
        outcome: TestOutcome,
        durationMs: z.number().nullable(),
        failures: z.array(z.object({ type: z.string().nullable(), message: z.string().nullable(), text: z.string() })),
      }),
    ),
    outputs: z.array(z.object({ stream: z.enum(['out', 'err']), text: z.string() })),
    attachments: z.array(TestAttachment),
    crashes: z.array(TestCrash),
    commit: z.string().nullable(),
  })
  .meta({ id: 'TestFailure' })
export type TestFailure = z.infer<typeof TestFailure>
