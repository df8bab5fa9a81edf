import type { Build } from '@fairlead/contract'
import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { List, ListRow, rowLink } from '../ui/ListRow.tsx'
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
        <List label="Groups">
          {distributionGroups.map(({ id, name, distributedDate }) => (
            <ListRow
              key={id}
              title={
                <Link to="/groups/$groupId" params={{ groupId: id }} className={rowLink}>
                  {name}
                </Link>
              }
              side={<When date={distributedDate} />}
            />
          ))}
        </List>
      )}
    </Panel>
  )
}
