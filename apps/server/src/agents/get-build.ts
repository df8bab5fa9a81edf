import { Verdict } from '@fairlead/contract'
import { z } from 'zod'
import { toBuild } from '../builds/build.ts'
import { toKindOfImage } from '../builds/coverage.ts'
import { requireBuild } from '../builds/find.ts'
import { findPreviousBuild } from '../builds/previous.ts'
import { readCommitState } from '../commits/build-commits.ts'
import { listNewGroups } from '../crash-groups/explained.ts'
import { findVerdictOfBuild } from '../test-runs/find.ts'
import { BuildBrief, toBuildBrief } from './briefs.ts'
import { CommitState, toCommitState } from './explained.ts'
import { describeId } from './fields.ts'
import { MissingSymbols, toMissingSymbols } from './missing-symbols.ts'
import { defineTool } from './tool.ts'
import { Alias, sentence, toAlias } from './trusted.ts'

const maxMissing = 20

export const getBuildTool = defineTool({
  name: 'get_build',
  description:
    'Gets a build with its release notes, the build before it, its test verdict, new crashes and missing symbols. ' +
    'Then compare_builds for its changes, list_crashes with the buildId for its crashes, get_test_run for its tests.',
  input: z.strictObject({ buildId: describeId('The build') }),
  output: BuildBrief.extend({
    applicationId: z.int(),
    alias: Alias,
    previousBuildId: z.int().nullable(),
    sizeChangeBytes: z.int().nullable(),
    verdict: z.object({ result: Verdict.shape.result, counts: Verdict.shape.counts }).nullable(),
    newCrashGroupCount: z.int(),
    symbols: z.object({ expected: z.int(), present: z.int() }),
    missingSymbols: z.array(MissingSymbols),
    commits: CommitState,
  }),
  async run({ context, caller }, { buildId }) {
    const { db, config } = context
    const record = await requireBuild(context, caller.workspaceId, buildId)
    const build = toBuild(record, config.baseUrl)
    const commits = await readCommitState(db, buildId)
    const previous = await findPreviousBuild(db, record, commits.base)
    const verdict = await findVerdictOfBuild(context, record)
    const { count } = await listNewGroups(context, record, 1)
    const { expected, present, missing } = build.symbols ?? { expected: 0, present: 0, missing: [] }
    const alias = toAlias(build.applicationAlias)
    return {
      ...toBuildBrief(build, config.baseUrl, { isListed: false }),
      applicationId: build.applicationId,
      alias,
      previousBuildId: previous?.id ?? null,
      sizeChangeBytes: previous ? record.size - previous.size : null,
      verdict: verdict && { result: verdict.result, counts: verdict.counts },
      newCrashGroupCount: count,
      symbols: { expected, present },
      missingSymbols: missing.slice(0, maxMissing).map(({ name, uuid }) => {
        return toMissingSymbols(toKindOfImage(name, build.platform), uuid, alias, buildId)
      }),
      commits: toCommitState(commits),
      ...(commits.state === 'none' && {
        next: [sentence`No commits came with this build: CI sends them with \`fairlead builds commits ${buildId}\`.`],
      }),
    }
  },
})
