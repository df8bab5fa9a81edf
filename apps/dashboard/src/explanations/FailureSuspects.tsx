import { useQuery } from '@tanstack/react-query'
import { failureExplanationQuery } from './queries.ts'
import { SuspectsPanel } from './SuspectsPanel.tsx'

interface FailureSuspectsProps {
  applicationId: number
  failureId: number
}

/** Shows the suspect commits of a failure of a test. */
export function FailureSuspects({ applicationId, failureId }: FailureSuspectsProps) {
  const { data: explanation } = useQuery(failureExplanationQuery(failureId))
  return explanation ? <SuspectsPanel applicationId={applicationId} {...explanation} /> : null
}
