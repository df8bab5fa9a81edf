import { Button, Menu } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { membersQuery } from '../../members/queries.ts'
import { useOpeningMenu } from '../../ui/use-opening-menu.ts'

/** The menu opens when it knows the members, because it focuses its first item then. */
export function AssignMenu({ onChoose }: { onChoose: (assigneeId: number | null) => void }) {
  const { button, menu } = useOpeningMenu()
  const { data: members } = useSuspenseQuery(membersQuery)
  return (
    <Menu position="bottom-start" shadow="md" {...menu}>
      <Menu.Target>
        <Button ref={button} size="xs" variant="default" rightSection={<ChevronDown size={14} aria-hidden />}>
          Assign
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="18rem" style={{ overflowY: 'auto' }}>
        {members.map(({ accountId, name, email }) => (
          <Menu.Item key={accountId} onClick={() => onChoose(accountId)}>
            {name === '' ? email : name}
          </Menu.Item>
        ))}
        <Menu.Item onClick={() => onChoose(null)}>Nobody</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
