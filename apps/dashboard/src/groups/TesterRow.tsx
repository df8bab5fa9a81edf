import type { Tester } from '@fairlead/contract'
import { Badge, Button, Group } from '@mantine/core'
import { ListRow } from '../ui/ListRow.tsx'
import { When } from '../ui/When.tsx'

interface TesterRowProps {
  tester: Tester
  /** The group whose testers are listed; its badge is left out of each row. */
  hideGroup?: number
  action?: string
  onAction?: () => void
}

export function TesterRow({ tester, hideGroup, action, onAction }: TesterRowProps) {
  const { email, name, groups, createdDate } = tester
  const shownGroups = groups.filter(({ id }) => id !== hideGroup)
  return (
    <ListRow
      title={
        <Group gap={8}>
          {name ?? email}
          {shownGroups.map((group) => (
            <Badge key={group.id} color="gray">
              {group.name}
            </Badge>
          ))}
        </Group>
      }
      sub={name === null ? undefined : email}
      side={
        <>
          Added <When date={createdDate} />
        </>
      }
      actions={
        action !== undefined && (
          <Button size="compact-sm" variant="default" onClick={onAction} aria-label={`${action}: ${email}`}>
            {action}
          </Button>
        )
      }
    />
  )
}
