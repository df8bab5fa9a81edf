import type { CrashGroup } from '@fairlead/contract'
import { useQuery } from '@tanstack/react-query'
import { crashExplanationQuery } from './queries.ts'
import { SuspectsPanel } from './SuspectsPanel.tsx'

/** Shows the suspect commits of a crash group. */
export function CrashSuspects({ group }: { group: CrashGroup }) {
  const { data: explanation } = useQuery(crashExplanationQuery(group.id))
  return explanation ? <SuspectsPanel {...explanation} /> : null
}
