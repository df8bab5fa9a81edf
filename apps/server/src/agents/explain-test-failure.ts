import type { TestFailureExplanation } from '@fairlead/contract'
import { FailureClass } from '@fairlead/contract'
import { z } from 'zod'
import { explainFailure } from '../explanations/explain-failure.ts'
import { CrashBrief, quoteCrashBrief } from './briefs.ts'
import { Owners, Suspect, toLocation, toOwners, toSuspects } from './explained.ts'
import { describeId } from './fields.ts'
import { Location } from './frames.ts'
import { withoutMembers } from './owner-names.ts'
import { defineTool } from './tool.ts'
import { Hex, quoteSentence, Sentence, toHexOrNull, toRef } from './trusted.ts'
import { Cut, untrusted, untrustedOf } from './untrusted.ts'

const maxGroups = 5
const text = z.string()
const textOrNull = text.nullable()
const Run = z.object({ testRunId: z.int(), commit: Hex.nullable(), buildId: z.int().nullable() }).nullable()

export const explainTestFailureTool = defineTool({
  name: 'explain_test_failure',
  description:
    'Says why a test failed: its message, the file and line, since which run, which commits may have caused it, who ' +
    'owns the file, which crashes are alike. Give a failureId of get_test_run. Then open the file.',
  input: z.strictObject({ failureId: describeId('The failure, from get_test_run') }),
  output: z.object({
    failureId: z.int(),
    testId: z.int(),
    testRunId: z.int(),
    classification: FailureClass.nullable(),
    location: Location,
    range: z.object({ lastPassed: Run, firstFailed: Run }),
    suspects: z.array(Suspect),
    owners: z.array(Owners),
    crashGroups: z.array(CrashBrief),
    untrusted: untrustedOf({
      suite: textOrNull,
      class: textOrNull,
      name: text,
      type: textOrNull,
      message: textOrNull,
      text: textOrNull,
      output: textOrNull,
    }),
    more: z.array(Cut),
    next: z.array(Sentence),
  }),
  async run({ context, caller, signal }, { failureId }) {
    const found = await explainFailure(context, caller.workspaceId, failureId, signal)
    const ref = toRef('testFailure', failureId)
    return {
      failureId,
      testId: found.testId,
      testRunId: found.testRunId,
      classification: found.classification,
      location: toLocation(found.location, ref),
      range: { lastPassed: toRun(found.range.lastPassed), firstFailed: toRun(found.range.firstFailed) },
      suspects: toSuspects(found.suspects, ref),
      owners: toOwners(await withoutMembers(context, caller.workspaceId, found.owners), ref),
      crashGroups: found.crashGroups.slice(0, maxGroups).map((brief) => quoteCrashBrief(brief, context.config.baseUrl)),
      more: [],
      ...untrusted(found.untrusted, ref),
      next: found.next.map(quoteSentence),
    }
  },
})

function toRun(run: TestFailureExplanation['range']['firstFailed']) {
  return run && { testRunId: run.testRunId, commit: toHexOrNull(run.commit), buildId: run.buildId }
}
