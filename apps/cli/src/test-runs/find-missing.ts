import type { Client } from '@fairlead/client'
import { toResultName } from './run-output.ts'
import type { TestReport } from './send-reports.ts'
import type { Verdict } from './verdict.ts'

/**
 * Lists the tests that the base has and a run has not, because a file could not be loaded or a worker process was
 * killed. Where most tests of the base are missing, they are those of other jobs, and only the suites of this job's
 * report count.
 */
export async function findMissing(
  client: Client,
  { run, id: reportId, counts }: TestReport,
  { base }: Verdict,
): Promise<string[]> {
  if (base === null) return []
  const { vanished } = await client.tests.compare(run.id, base.runId)
  if (vanished.length === 0) return []
  if (vanished.length <= counts.cases) return vanished.map(toResultName)
  const present = await listSuites(client, run.id, reportId)
  return vanished.filter(({ suite }) => present.has(suite ?? '')).map(toResultName)
}

const pageSize = 200
/** The most pages that are read for the names of suites. */
const maxPages = 50

async function listSuites(client: Client, runId: number, reportId: number): Promise<Set<string>> {
  const suites = new Set<string>()
  let cursor: string | undefined
  for (let page = 0; page < maxPages; page++) {
    const query = { reportId, limit: pageSize, ...(cursor !== undefined && { cursor }) }
    const { items, nextCursor } = await client.tests.listResults(runId, query)
    for (const { suite } of items) suites.add(suite ?? '')
    if (nextCursor === null) break
    cursor = nextCursor
  }
  return suites
}
