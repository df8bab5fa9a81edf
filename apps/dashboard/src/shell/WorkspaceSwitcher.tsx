import { lazy } from 'react'
import { useSession } from '../api/session.ts'
import { useSwitchWorkspace } from '../api/switch-workspace.ts'
import { roleNames } from '../ui/role-names.ts'
import { loadScript } from '../ui/load-script.ts'
import { LazyMenu } from '../ui/LazyMenu.tsx'
import { MenuButton } from './MenuButton.tsx'

const load = () => loadScript(() => import('./WorkspaceMenu.tsx'))
const WorkspaceMenu = lazy(async () => ({ default: (await load()).WorkspaceMenu }))

/** Shows the current workspace, and a menu of the others. */
export function WorkspaceSwitcher() {
  const session = useSession()
  const switchTo = useSwitchWorkspace()
  if (!session) return null
  const { workspaces, workspace } = session
  const texts = {
    title: workspace?.name ?? 'No workspace',
    subtitle: workspace ? roleNames[workspace.role] : '',
  }
  return (
    <LazyMenu load={load} button={(opening) => <MenuButton label="Workspace" {...texts} {...opening} />}>
      <WorkspaceMenu {...texts} workspaces={workspaces} current={workspace} onChoose={(id) => void switchTo(id)} />
    </LazyMenu>
  )
}
