import type { Account } from '@fairlead/contract'
import { Menu, useMantineColorScheme } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { BookOpen, LogOut, Monitor, Moon, Sun, UserRound } from 'lucide-react'
import { client } from '../api/client.ts'
import { leaveSession, useSession } from '../api/session.ts'
import { tellFailure } from '../ui/tell.ts'
import { MenuButton } from './MenuButton.tsx'
import { useOpeningMenu } from '../ui/use-opening-menu.ts'

const schemes = [
  { scheme: 'light', icon: Sun, label: 'Light' },
  { scheme: 'dark', icon: Moon, label: 'Dark' },
  { scheme: 'auto', icon: Monitor, label: 'As the system' },
] as const

export function AccountMenuContent({ account }: { account: Account }) {
  const { button, menu } = useOpeningMenu()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const logoutUrl = useSession()?.logoutUrl ?? null
  const signOut = useMutation({
    mutationFn: () => client.access.signOut(),
    onSuccess: () => {
      leaveSession()
      // The provider would sign the next person in without asking.
      if (logoutUrl !== null) location.assign(logoutUrl)
    },
    onError: tellFailure,
  })
  return (
    <Menu width="target" position="top-start" shadow="md" {...menu}>
      <Menu.Target>
        <MenuButton ref={button} label="Account" title={account.name} subtitle={account.email} isPlain />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to="/account" leftSection={<UserRound size={15} />}>
          My account
        </Menu.Item>
        <Menu.Item component="a" href="/docs" target="_blank" leftSection={<BookOpen size={15} />}>
          API reference
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Appearance</Menu.Label>
        {schemes.map(({ scheme, icon: Icon, label }) => (
          <Menu.Item
            key={scheme}
            leftSection={<Icon size={15} />}
            onClick={() => setColorScheme(scheme)}
            fw={scheme === colorScheme ? 650 : 400}
            aria-current={scheme === colorScheme}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<LogOut size={15} />} onClick={() => signOut.mutate()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
