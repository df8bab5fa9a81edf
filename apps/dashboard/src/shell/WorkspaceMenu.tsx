import type { Session } from '@fairlead/contract'
import { Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Check, Plus } from 'lucide-react'
import { NewWorkspaceDialog } from '../workspace/NewWorkspaceDialog.tsx'
import { MenuButton } from './MenuButton.tsx'
import { useOpeningMenu } from '../ui/use-opening-menu.ts'

type Membership = Session['workspaces'][number]

interface WorkspaceMenuProps {
  workspaces: Membership[]
  current: Membership | undefined
  title: string
  subtitle: string
  onChoose: (id: number) => void
}

export function WorkspaceMenu({ workspaces, current, title, subtitle, onChoose }: WorkspaceMenuProps) {
  const [isCreating, dialog] = useDisclosure()
  const { button, menu } = useOpeningMenu()
  return (
    <>
      <Menu width="target" position="bottom-start" shadow="md" {...menu}>
        <Menu.Target>
          <MenuButton ref={button} label="Workspace" title={title} subtitle={subtitle} />
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Workspaces</Menu.Label>
          {workspaces.map(({ id, name }) => (
            <Menu.Item
              key={id}
              onClick={() => onChoose(id)}
              rightSection={id === current?.id ? <Check size={15} aria-label="current" /> : null}
            >
              {name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item leftSection={<Plus size={15} />} onClick={dialog.open}>
            New workspace
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isCreating && <NewWorkspaceDialog onClose={dialog.close} onCreated={onChoose} returnFocusTo={button} />}
    </>
  )
}
