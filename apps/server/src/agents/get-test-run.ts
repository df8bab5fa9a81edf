import { FailureClass, TestCounts, Verdict } from '@fairlead/contract'
import { z } from 'zod'
import { requireBuild } from '../builds/find.ts'
import { findNewestRunId, findTestResults, requireTestRun } from '../test-runs/find.ts'
import { AgentError } from './agent-error.ts'
import { type Call, shareOf } from './call.ts'
import { cursorField, describeId, limitField, readOrderedCursor } from './fields.ts'
import { textsOfTest } from './list-tests.ts'
import { defineTool } from './tool.ts'
import { Cursor, sentence, toCursorOrNull, toRef } from './trusted.ts'
import { Cut, untrusted, untrustedOf } from './untrusted.ts'

const textOrNull = z.string().nullable()
const oneOfTwo = sentence`Give either testRunId or buildId, not both.`
const withoutRun = sentence`This build has no test reports: list_builds names others, list_tests failing tests.`

export const getTestRunTool = defineTool({
  name: 'get_test_run',
  description:
    'Gets a test run, or the newest run of a build, with its verdict and the tests that failed. Give either ' +
    'testRunId or buildId. Then explain_test_failure with a failureId for the cause.',
  input: z.strictObject({
    testRunId: describeId('The run').optional(),
    buildId: describeId('A build, for its newest run').optional(),
    limit: limitField,
    cursor: cursorField,
  }),
  output: z.object({
    testRunId: z.int(),
    buildId: z.int().nullable(),
    state: z.enum(['open', 'complete']),
    counts: TestCounts,
    verdict: z.object({ result: Verdict.shape.result, counts: Verdict.shape.counts }),
    failures: z.array(
      z.object({
        testId: z.int(),
        failureId: z.int().nullable(),
        groupId: z.int().nullable(),
        classification: FailureClass.nullable(),
        untrusted: untrustedOf({
          suite: textOrNull,
          class: textOrNull,
          name: z.string(),
          parameters: textOrNull,
          file: textOrNull,
        }),
        more: z.array(Cut).optional(),
      }),
    ),
    nextCursor: Cursor.nullable(),
    untrusted: untrustedOf({ branch: textOrNull, key: textOrNull }),
    more: z.array(Cut).optional(),
  }),
  async run(call, { testRunId, buildId, limit, cursor }) {
    const { context, caller } = call
    const id = await findRunId(call, { testRunId, buildId })
    const { run, verdict } = await requireTestRun(context, caller.workspaceId, id)
    const page = { limit: shareOf(call, limit), cursor: readOrderedCursor(cursor) }
    const { items, nextCursor } = await findTestResults(context, id, { outcome: 'failed', ...page })
    return {
      testRunId: run.id,
      buildId: run.buildId,
      state: run.state,
      counts: run.counts,
      verdict: { result: verdict.result, counts: verdict.counts },
      failures: items.map((result) => ({
        testId: result.testId,
        failureId: result.failureId,
        groupId: result.groupId,
        classification: result.classification,
        ...untrusted(textsOfTest(result), toRef('test', result.testId)),
      })),
      nextCursor: toCursorOrNull(nextCursor),
      ...untrusted({ branch: run.branch, key: run.key }, toRef('testRun', id)),
    }
  },
})

async function findRunId(
  { context, caller }: Call,
  { testRunId, buildId }: { testRunId: number | undefined; buildId: number | undefined },
): Promise<number> {
  if (testRunId !== undefined && buildId === undefined) return testRunId
  if (buildId === undefined || testRunId !== undefined) throw new AgentError('invalidInput', { next: oneOfTwo })
  const id = await findNewestRunId(context, await requireBuild(context, caller.workspaceId, buildId))
  if (id === undefined) throw new AgentError('testRunNotFound', { next: withoutRun })
  return id
}
