import { queryOptions } from '@tanstack/react-query'
import { client } from '../api/client.ts'

/** Loads the verdict of a build's test runs. */
export const buildVerdictQuery = (buildId: number) =>
  queryOptions({ queryKey: ['builds', buildId, 'verdict'], queryFn: () => client.tests.getVerdictOfBuild(buildId) })
