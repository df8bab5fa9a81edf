import type { TestState } from '@fairlead/contract'
import { Badge } from '@mantine/core'

const colors: Record<TestState, string> = {
  healthy: 'harbor',
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
