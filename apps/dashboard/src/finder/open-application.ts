import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { buildQuery } from '../builds/queries.ts'

/** Returns the application that the open page is about; a build's page has only the id of the build in its URL. */
export function useOpenApplicationId(): number | undefined {
  const { applicationId, buildId } = useParams({ strict: false })
  // The page has loaded the build.
  const { data: build } = useQuery({ ...buildQuery(buildId ?? 0), enabled: false })
  return applicationId ?? build?.applicationId
}
