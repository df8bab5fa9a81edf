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
  /** Shows the address of the tester's page; callers who may not see it leave it out. */
  onPage?: (() => void) | undefined
}

export function TesterRow({ tester, hideGroup, action, onAction, onPage }: TesterRowProps) {
  const { email, name, groups, createdDate, isUnsubscribed } = tester
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
          {isUnsubscribed && <Badge color="orange">No mails</Badge>}
        </Group>
      }
      sub={name === null ? undefined : email}
      side={
        <>
          Added <When date={createdDate} />
        </>
      }
      actions={
        <Group gap={6} justify="flex-end">
          {onPage && (
            <Button size="compact-sm" variant="default" onClick={onPage} aria-label={`Page: ${email}`}>
              Page
            </Button>
          )}
          {action !== undefined && (
            <Button size="compact-sm" variant="default" onClick={onAction} aria-label={`${action}: ${email}`}>
              {action}
            </Button>
          )}
        </Group>
      }
    />
  )
}
