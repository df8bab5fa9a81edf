import {
  ApiError,
  BuildComparison,
  CompareBuilds,
  CrashExplanation,
  ExplainCrash,
  TestFailureExplanation,
} from '@fairlead/contract'
import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { requireLivingGroup } from '../crash-groups/explained.ts'
import type { App } from '../http/app.ts'
import { createHangUpSignal } from '../http/hang-up-signal.ts'
import { PathId } from '../http/path-id.ts'
import { compareBuilds } from './compare-builds.ts'
import { explainCrash } from './explain-crash.ts'
import { explainFailure } from './explain-failure.ts'

export function addExplanationRoutes(app: App, context: AppContext): void {
  const config = { role: 'viewer' } as const

  app.get(
    '/v1/crashGroups/:crashGroupId/explanation',
    {
      config,
      schema: {
        tags: ['Crashes'],
        summary: 'Explain a crash group',
        description: 'Where it crashes, since which build, which commits may have caused it, and who owns the file.',
        operationId: 'explainCrashGroup',
        errors: ['crashGroupNotFound', 'crashNotFound'],
        params: z.object({ crashGroupId: PathId }),
        querystring: ExplainCrash,
        response: { 200: CrashExplanation },
      },
    },
    async ({ caller: { workspaceId }, params, query }) => {
      const { crashGroupId } = params
      if (query.crashId === undefined) return explainCrash(context, workspaceId, { crashGroupId })
      const id = await requireLivingGroup(context, workspaceId, crashGroupId)
      const explanation = await explainCrash(context, workspaceId, { crashId: query.crashId })
      if (explanation.crashGroupId !== id) throw new ApiError('crashNotFound')
      return explanation
    },
  )

  app.get(
    '/v1/testFailures/:testFailureId/explanation',
    {
      config,
      schema: {
        tags: ['Tests'],
        summary: 'Explain a failure of a test',
        description: 'Where it fails, since which run, which commits may have caused it, and who owns the file.',
        operationId: 'explainTestFailure',
        errors: ['testFailureNotFound'],
        params: z.object({ testFailureId: PathId }),
        response: { 200: TestFailureExplanation },
      },
    },
    ({ caller, params }, reply) =>
      explainFailure(context, caller.workspaceId, params.testFailureId, createHangUpSignal(reply)),
  )

  app.get(
    '/v1/builds/:buildId/comparison',
    {
      config,
      schema: {
        tags: ['Builds'],
        summary: 'Compare a build with an older one',
        description: 'Its commits, its size, its new crash groups and its new failures of tests.',
        operationId: 'compareBuilds',
        errors: ['buildNotFound'],
        params: z.object({ buildId: PathId }),
        querystring: CompareBuilds,
        response: { 200: BuildComparison },
      },
    },
    ({ caller, params, query }) => compareBuilds(context, caller.workspaceId, params.buildId, query.baseBuildId),
  )
}
