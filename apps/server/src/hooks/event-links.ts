import type { HookEventType } from '@fairlead/contract'
import type { StoredEvent } from '../db/schema/hooks.ts'
import { toInstallUrl } from '../links/install-url.ts'

interface EventLinks {
  page: string
  api: string
  install?: string
}

/** Returns where to read about an event: a page of the dashboard, a resource of the API, and its install link. */
export function toLinks(type: HookEventType, event: StoredEvent, baseUrl: string): EventLinks {
  const { page, api } = toPaths(type, event)
  return {
    page: baseUrl + page,
    api: baseUrl + api,
    ...(event.installSecret !== undefined && { install: toInstallUrl({ secret: event.installSecret }, baseUrl) }),
  }
}

function toPaths(type: HookEventType, { applicationId, data }: StoredEvent): { page: string; api: string } {
  const application = `/applications/${applicationId}`
  const id = (name: string) => String(data[name])
  const paths: Record<HookEventType, { page: string; api: string }> = {
    ...ofEach(['build.uploaded', 'build.distributed', 'build.restored', 'install.recorded'], {
      page: `/builds/${id('buildId')}`,
      api: `/v1/builds/${id('buildId')}`,
    }),
    'build.deleted': { page: application, api: `/v1/builds/${id('buildId')}` },
    ...ofEach(['crashGroup.created', 'crashGroup.regressed', 'crashGroup.spiked'], {
      page: `${application}/crashes/${id('crashGroupId')}`,
      api: `/v1/crashGroups/${id('crashGroupId')}`,
    }),
    ...ofEach(['testRun.completed', 'testRun.verdictChanged'], {
      page: `${application}/tests/runs/${id('testRunId')}`,
      api: `/v1/testRuns/${id('testRunId')}`,
    }),
    'symbols.uploaded': { page: `${application}/symbols`, api: `/v1/symbolsFiles/${id('symbolsFileId')}` },
    'feedback.received': { page: `${application}/feedback`, api: `/v1/feedback/${id('feedbackId')}` },
    'test.becameFlaky': { page: `${application}/tests/${id('testId')}`, api: `/v1/tests/${id('testId')}` },
    'retention.finished': { page: `${application}/retention`, api: `/v1/retentionRuns/${id('retentionRunId')}` },
    'alert.fired': { page: `${application}/alerts`, api: `/v1${application}/alerts` },
    'hook.test': { page: `/hooks/${id('hookId')}`, api: `/v1/hooks/${id('hookId')}` },
  }
  return paths[type]
}

function ofEach<Type extends string, Value>(types: readonly Type[], value: Value): Record<Type, Value> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys are those of the list
  return Object.fromEntries(types.map((type) => [type, value])) as Record<Type, Value>
}
