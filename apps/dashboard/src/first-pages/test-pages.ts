import { describeCounts, describeRun, toRunName, toTestName, toTestPlace } from '../test-runs/test-name.ts'
import { readRunsSearch, readTestSearch, readTestsSearch } from '../test-runs/search.ts'
import { formatInstant } from '../ui/format.ts'
import { send } from './application-pages.ts'
import { earlyClient as api } from '../early/client.ts'
import { type EarlyPage, toPattern } from './early-page.ts'
import { join, showRows } from './first-look.ts'
import { listResults, listResultsOfTest, listTestRuns, listTests } from '../early/requests.ts'

export const testPages: EarlyPage[] = [
  {
    path: toPattern('/applications/#/tests'),
    load: () => import('../test-runs/TestRunsPage.tsx'),
    show: async ({ first: id }, search) => {
      const asked = listTestRuns(api, id, readRunsSearch(search))
      void send(api.applications.get(id))
      const { items } = await asked
      const rows = items.map((run) => ({
        text: toRunName(run),
        href: `/applications/${id}/tests/runs/${run.id}`,
        detail: join(describeRun(run), run.key, run.branch, formatInstant(run.createdDate)),
      }))
      showRows('Tests', rows, 'No test runs')
    },
  },
  {
    path: toPattern('/applications/#/tests/all'),
    load: () => import('../test-runs/TestsPage.tsx'),
    show: async ({ first: id }, search) => {
      const asked = listTests(api, id, readTestsSearch(search))
      void send(api.applications.get(id))
      const { items } = await asked
      const rows = items.map((test) => ({
        text: toTestName(test),
        href: `/applications/${id}/tests/${test.id}`,
        detail: join(toTestPlace(test), test.state),
      }))
      showRows('Tests', rows, 'No tests')
    },
  },
  {
    path: toPattern('/applications/#/tests/runs/#'),
    load: () => import('../test-runs/TestRunPage.tsx'),
    show: async ({ first: applicationId, second: id }) => {
      const asked = api.tests.getRun(id)
      void send(api.applications.get(applicationId), api.tests.getVerdict(id), api.tests.listGroupsOfRun(id))
      const run = await asked
      const title = toRunName(run)
      showRows(title, [{ text: describeCounts(run.counts) }])
      const failed = await listResults(api, id, run.counts.failed > 0 ? { outcome: 'failed' } : {})
      const rows = failed.items.map((result) => ({
        text: toTestName(result),
        href: `/applications/${applicationId}/tests/${result.testId}`,
        detail: join(result.outcome, result.attempts.at(-1)?.message),
      }))
      showRows(title, [{ text: describeCounts(run.counts) }, ...rows])
    },
  },
  {
    path: toPattern('/applications/#/tests/runs/#/comparison'),
    load: () => import('../test-runs/ComparisonPage.tsx'),
    show: async ({ first: applicationId, second: id }) => {
      const asked = api.tests.getRun(id)
      void send(api.applications.get(applicationId), listTestRuns(api, applicationId, {}))
      const run = await asked
      const href = `/applications/${applicationId}/tests/runs/${id}`
      showRows(toRunName(run), [{ text: 'Back to the run', href, detail: describeCounts(run.counts) }])
    },
  },
  {
    path: toPattern('/applications/#/tests/#'),
    load: () => import('../test-runs/TestPage.tsx'),
    show: async ({ first: applicationId, second: id }, search) => {
      const { failure, run } = readTestSearch(search)
      const asked = api.tests.get(id)
      const results = listResultsOfTest(api, id)
      void send(api.applications.get(applicationId), ...(run === undefined ? [] : [api.tests.listAttachments(run, id)]))
      const test = await asked
      const rows = [{ text: join(toTestPlace(test), test.state) }]
      showRows(toTestName(test), rows)
      const newest = run === undefined ? (await results).items.find(({ failureId }) => failureId !== null) : undefined
      const failureId = failure ?? newest?.failureId ?? undefined
      if (failureId === undefined) return
      const asking = api.tests.getFailure(failureId)
      void send(api.tests.getTimeline(failureId), api.tests.explainFailure(failureId))
      const { type, message } = await asking
      showRows(toTestName(test), [...rows, { text: type ?? 'Failure', detail: message }])
    },
  },
]
