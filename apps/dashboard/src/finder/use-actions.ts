import { useMantineColorScheme } from '@mantine/core'
import { useSession } from '../api/session.ts'
import { useSwitchWorkspace } from '../api/switch-workspace.ts'
import type { Found } from './found.ts'

const schemes = { light: 'Light colours', dark: 'Dark colours', auto: 'Colours of the system' } as const

/** Lists what the finder can do besides opening pages. */
export function useActions(onHelp: () => void): Found[] {
  const session = useSession()
  const switchTo = useSwitchWorkspace()
  const { setColorScheme } = useMantineColorScheme()
  const others = (session?.workspaces ?? []).filter(({ id }) => id !== session?.workspace?.id)
  const appearances = Object.entries(schemes).map(([scheme, title]) => ({
    key: `scheme ${scheme}`,
    title,
    detail: 'Theme',
    target: () => setColorScheme(scheme === 'light' || scheme === 'dark' ? scheme : 'auto'),
  }))
  return [
    { key: 'keys', title: 'Keyboard shortcuts', target: onHelp },
    ...others.map(({ id, name }) => ({
      key: `workspace ${id}`,
      title: `Switch to ${name}`,
      detail: 'Workspace',
      target: () => void switchTo(id),
    })),
    ...appearances,
  ]
}
