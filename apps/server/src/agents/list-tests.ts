import { type Test, TestState } from '@fairlead/contract'
import { z } from 'zod'
import { requireApplicationByAlias } from '../applications/find.ts'
import { findTests } from '../test-runs/find.ts'
import { shareOf } from './call.ts'
import { applicationField, cursorField, limitField, queryField, readOrderedCursor } from './fields.ts'
import { defineTool } from './tool.ts'
import { Cursor, sentence, toAlias, toCursorOrNull, toRef } from './trusted.ts'
import { Cut, untrusted, untrustedOf } from './untrusted.ts'

const textOrNull = z.string().nullable()

export const listTestsTool = defineTool({
  name: 'list_tests',
  description:
    'Lists tests of an application that fail now on its default branch, are flaky, slow or quarantined. Then ' +
    'get_test_run for the failures of one run, and explain_test_failure for the cause of one.',
  input: z.strictObject({
    application: applicationField,
    state: z.enum(['failing', 'flaky', 'slow', 'quarantined']).describe('Which tests'),
    query: queryField('suites, classes and names'),
    limit: limitField,
    cursor: cursorField,
  }),
  output: z.object({
    tests: z.array(
      z.object({
        testId: z.int(),
        state: TestState,
        lastOutcome: z.enum(['passed', 'failed', 'skipped']).nullable(),
        p95Ms: z.number().nullable(),
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
  }),
  async run(call, { application: alias, state, query, limit, cursor }) {
    const { context, caller } = call
    const application = await requireApplicationByAlias(context, caller.workspaceId, alias)
    const { items, nextCursor } = await findTests(context, application.id, {
      state,
      ...(query !== undefined && { q: query }),
      limit: shareOf(call, limit),
      cursor: readOrderedCursor(cursor),
    })
    const upload = sentence`None, or no report yet: \`fairlead tests upload\` sends those of ${toAlias(alias)}.`
    return {
      tests: items.map((test) => ({
        testId: test.id,
        state: test.state,
        lastOutcome: test.lastOutcome,
        p95Ms: test.p95Ms,
        ...untrusted(textsOfTest(test), toRef('test', test.id)),
      })),
      nextCursor: toCursorOrNull(nextCursor),
      ...(items.length === 0 && query === undefined && cursor === undefined && { next: [upload] }),
    }
  },
})

/** The texts of a test, for answers and for `read_text`. */
export function textsOfTest({ suite, class: className, name, parameters, file }: Pick<Test, TextOfTest>) {
  return { suite, class: className, name, parameters, file }
}

type TextOfTest = 'suite' | 'class' | 'name' | 'parameters' | 'file'
