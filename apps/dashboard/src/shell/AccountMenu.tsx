import { Menu, UnstyledButton, useMantineColorScheme, VisuallyHidden } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { BookOpen, ChevronsUpDown, LogOut, Monitor, Moon, Sun, UserRound } from 'lucide-react'
import { client } from '../api/client.ts'
import { leaveSession, useSession } from '../api/session.ts'
import { tellFailure } from '../ui/tell.ts'
import classes from './menus.module.css'

const schemes = [
  { scheme: 'light', icon: Sun, label: 'Light' },
  { scheme: 'dark', icon: Moon, label: 'Dark' },
  { scheme: 'auto', icon: Monitor, label: 'As the system' },
] as const

export function AccountMenu() {
  const account = useSession()?.account
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const signOut = useMutation({
    mutationFn: () => client.access.signOut(),
    onSuccess: leaveSession,
    onError: tellFailure,
  })
  if (!account) return null
  return (
    <Menu width="target" position="top-start" shadow="md">
      <Menu.Target>
        <UnstyledButton className={`${classes['button']} ${classes['plain']}`}>
          <VisuallyHidden>Account</VisuallyHidden>
          <span className={classes['names']}>
            <span className={classes['name']}>{account.name}</span>
            <span className={classes['sub']}>{account.email}</span>
          </span>
          <ChevronsUpDown size={15} aria-hidden />
        </UnstyledButton>
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
