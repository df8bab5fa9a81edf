import { Menu, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { Check, ChevronsUpDown, Plus } from 'lucide-react'
import { rememberWorkspace } from '../api/chosen-workspace.ts'
import { isOfWorkspace, queryClient } from '../api/client.ts'
import { useSession } from '../api/session.ts'
import { roleNames } from '../ui/role-names.ts'
import { NewWorkspaceDialog } from '../workspace/NewWorkspaceDialog.tsx'
import classes from './menus.module.css'

export function WorkspaceSwitcher() {
  const session = useSession()
  const navigate = useNavigate()
  const [isCreating, dialog] = useDisclosure()
  if (!session) return null
  const { workspaces, workspace } = session

  const switchTo = async (id: number) => {
    rememberWorkspace(id)
    // Data of the previous workspace must not remain: first remove queries that are not on screen, then navigate to a
    // page that exists in both workspaces, then refetch the rest.
    queryClient.removeQueries({ predicate: isOfWorkspace, type: 'inactive' })
    await navigate({ to: '/applications' })
    await queryClient.resetQueries({ predicate: isOfWorkspace })
  }

  return (
    <>
      <Menu width="target" position="bottom-start" shadow="md">
        <Menu.Target>
          <UnstyledButton className={classes['button']}>
            <VisuallyHidden>Workspace</VisuallyHidden>
            <span className={classes['names']}>
              <span className={classes['name']}>{workspace?.name ?? 'No workspace'}</span>
              {workspace && <span className={classes['sub']}>{roleNames[workspace.role]}</span>}
            </span>
            <ChevronsUpDown size={15} aria-hidden />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Workspaces</Menu.Label>
          {workspaces.map(({ id, name }) => (
            <Menu.Item
              key={id}
              onClick={() => void switchTo(id)}
              rightSection={id === workspace?.id ? <Check size={15} aria-label="current" /> : null}
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
      {isCreating && <NewWorkspaceDialog onClose={dialog.close} onCreated={(id) => void switchTo(id)} />}
    </>
  )
}
