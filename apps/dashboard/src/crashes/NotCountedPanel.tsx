import { Text } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Facts } from '../ui/Facts.tsx'
import { Panel } from '../ui/Panel.tsx'
import { crashIntakeQuery } from './queries.ts'

/** The panel shows this many reasons: those with the highest counts. */
const maxShown = 20

/** Shows how many items apps sent that were not counted as crashes, and why. */
export function NotCountedPanel({ applicationId }: { applicationId: number }) {
  const { data: intake } = useSuspenseQuery(crashIntakeQuery(applicationId))
  const drops = Object.entries(intake.droppedCounts).toSorted(([, one], [, other]) => other - one)
  if (drops.length === 0) return null
  return (
    <Panel title="Not counted as crashes">
      <Text size="sm">Items that were sent and left out, with the reason or the kind of each.</Text>
      <Facts facts={drops.slice(0, maxShown).map(([reason, count]) => [reason, count.toLocaleString('en')])} />
    </Panel>
  )
}
