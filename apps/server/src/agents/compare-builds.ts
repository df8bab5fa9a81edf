import type { BuildComparison, ChangedTest as RestChangedTest } from '@fairlead/contract'
import { z } from 'zod'
import { compareBuilds } from '../explanations/compare-builds.ts'
import { CrashBrief, quoteCrashBrief } from './briefs.ts'
import { type Call, shareOf } from './call.ts'
import { toCommitHash } from './explained.ts'
import { describeId } from './fields.ts'
import { defineTool } from './tool.ts'
import { fieldRef, Hex, Instant, quoteSentence, Sentence, toInstantText, toRef } from './trusted.ts'
import { Cut, untrusted, untrustedOf } from './untrusted.ts'

const maxCommits = 20
const maxGroups = 10
const maxTests = 20
const text = z.string()
const textOrNull = text.nullable()

const ChangedTest = z.object({
  testId: z.int(),
  failureId: z.int().nullable(),
  testRunId: z.int(),
  untrusted: untrustedOf({ suite: textOrNull, class: textOrNull, name: text }),
  more: z.array(Cut).optional(),
})

export const compareBuildsTool = defineTool({
  name: 'compare_builds',
  description:
    'Says what changed in a build since the one before, or since baseBuildId: commits with their files, size, new ' +
    'crash groups, tests that newly fail or pass again. Then explain_crash or explain_test_failure.',
  input: z.strictObject({
    buildId: describeId('The newer build'),
    baseBuildId: describeId('The older build; the one before if left out').optional(),
  }),
  output: z.object({
    buildId: z.int(),
    baseBuildId: z.int().nullable(),
    sizeChangeBytes: z.int().nullable(),
    commits: z.object({
      state: z.enum(['complete', 'partial', 'none']),
      count: z.int(),
      items: z.array(
        z.object({
          commit: Hex,
          date: Instant,
          buildId: z.int(),
          fileCount: z.int(),
          untrusted: untrustedOf({ paths: z.array(text), subject: textOrNull, author: textOrNull }),
          more: z.array(Cut).optional(),
        }),
      ),
    }),
    newCrashGroups: z.array(CrashBrief),
    tests: z
      .object({
        newFailures: z.array(ChangedTest),
        fixed: z.array(ChangedTest),
        newFailureCount: z.int(),
        fixedCount: z.int(),
      })
      .nullable(),
    next: z.array(Sentence),
  }),
  async run(call, { buildId, baseBuildId }) {
    const { context, caller } = call
    const found = await compareBuilds(context, caller.workspaceId, buildId, baseBuildId)
    const { commits, newCrashGroups, tests } = found
    return {
      buildId: found.buildId,
      baseBuildId: found.baseBuildId,
      sizeChangeBytes: found.sizeChangeBytes,
      commits: {
        state: commits.state,
        count: commits.count,
        items: commits.items.slice(0, shareOf(call, maxCommits)).map(toCommit),
      },
      newCrashGroups: newCrashGroups
        .slice(0, shareOf(call, maxGroups))
        .map((brief) => quoteCrashBrief(brief, context.config.baseUrl)),
      tests: tests && {
        newFailures: toTests(call, tests.newFailures),
        fixed: toTests(call, tests.fixed),
        newFailureCount: tests.newFailureCount,
        fixedCount: tests.fixedCount,
      },
      next: found.next.map(quoteSentence),
    }
  },
})

function toCommit({ commit, date, buildId, fileCount, untrusted: texts }: BuildComparison['commits']['items'][number]) {
  const hash = toCommitHash(commit)
  const ref = fieldRef(toRef('commits', buildId), hash)
  return { commit: hash, date: toInstantText(date), buildId, fileCount, ...untrusted(texts, ref) }
}

function toTests(call: Call, tests: RestChangedTest[]) {
  return tests.slice(0, shareOf(call, maxTests)).map(({ testId, failureId, testRunId, untrusted: texts }) => ({
    testId,
    failureId,
    testRunId,
    ...untrusted(texts, toRef('test', testId)),
  }))
}
