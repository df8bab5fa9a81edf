import type { Build } from '@fairlead/contract'
import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Facts } from '../ui/Facts.tsx'
import { Panel } from '../ui/Panel.tsx'
import { When } from '../ui/When.tsx'

/** Lists the groups that the build was distributed to. */
export function DistributionPanel({ build }: { build: Build }) {
  const { distributionGroups } = build
  return (
    <Panel title="Distributed to">
      {distributionGroups.length === 0 ? (
        <Text size="sm" c="dimmed">
          No group so far.
        </Text>
      ) : (
        <Facts
          facts={distributionGroups.map(({ id, name, distributedDate }) => [
            name,
            <span key={id}>
              <When date={distributedDate} />
              {' · '}
              <Link to="/groups/$groupId" params={{ groupId: id }}>
                see the group
              </Link>
            </span>,
          ])}
        />
      )}
    </Panel>
  )
}
