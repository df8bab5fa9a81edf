import type { TestState } from '@fairlead/contract'
import { Badge } from '@mantine/core'

const colors: Record<TestState, string> = {
  healthy: 'green',
  suspect: 'orange',
  flaky: 'orange',
  failing: 'red',
  quarantined: 'gray',
}

export function StateBadge({ state }: { state: TestState }) {
  return (
    <Badge color={colors[state]} className="word">
      {state}
    </Badge>
  )
}
