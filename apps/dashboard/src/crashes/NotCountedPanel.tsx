import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Facts } from '../ui/Facts.tsx'
import { Panel } from '../ui/Panel.tsx'
import { crashIntakeQuery } from './queries.ts'

/** Reasons that are shown: those with the highest counts. */
const maxShown = 20

/** Shows what apps sent that was not counted as a crash. */
export function NotCountedPanel({ applicationId }: { applicationId: number }) {
  const { data: intake } = useQuery(crashIntakeQuery(applicationId))
  const drops = Object.entries(intake?.droppedCounts ?? {}).toSorted(([, one], [, other]) => other - one)
  if (drops.length === 0) return null
  return (
    <Panel title="Not counted as crashes">
      <Text size="sm">Items that were sent and left out, with the reason or the kind of each.</Text>
      <Facts facts={drops.slice(0, maxShown).map(([reason, count]) => [reason, count.toLocaleString('en')])} />
    </Panel>
  )
}
