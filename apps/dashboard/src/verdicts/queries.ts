import { queryOptions } from '@tanstack/react-query'
import { client } from '../api/client.ts'

/** What the test runs of a build say about it. */
export const buildVerdictQuery = (buildId: number) =>
  queryOptions({ queryKey: ['builds', buildId, 'verdict'], queryFn: () => client.tests.getVerdictOfBuild(buildId) })
