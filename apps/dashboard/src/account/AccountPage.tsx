import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { client, queryClient, sessionKey } from '../api/client.ts'
import { useSession } from '../api/session.ts'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { toFieldErrors } from '../ui/field-errors.ts'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Panel } from '../ui/Panel.tsx'
import { CurrentPassword, NewPassword } from '../ui/PasswordFields.tsx'
import { tell } from '../ui/tell.ts'
import { IdentitiesPanel } from './IdentitiesPanel.tsx'
import { SessionsPanel } from './SessionsPanel.tsx'
import { TwoFactorPanel } from './TwoFactorPanel.tsx'

export function AccountPage() {
  const account = useSession()?.account
  if (!account) return null
  return (
    <>
      <PageHeader title="My account" description={account.email} />
      <Stack gap="lg">
        <Panel title="Name">
          <NameForm name={account.name} />
        </Panel>
        <Panel title="Password">
          <PasswordForm />
        </Panel>
        <Panel title="Two-factor sign-in">
          <TwoFactorPanel />
        </Panel>
        <Panel title="Ways to sign in">
          <IdentitiesPanel />
        </Panel>
        <Panel title="Sessions">
          <SessionsPanel />
        </Panel>
      </Stack>
    </>
  )
}

function NameForm({ name: current }: { name: string }) {
  const [name, setName] = useState(current)
  const save = useMutation({
    mutationFn: () => client.access.updateAccount({ name }),
    onSuccess: () => {
      tell('Your name is saved')
      return queryClient.invalidateQueries({ queryKey: sessionKey })
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <Stack maw="26rem">
        <TextInput
          label="Your name"
          description="Stands beside the builds you upload"
          autoComplete="name"
          required
          maxLength={200}
          value={name}
          error={toFieldErrors(save.error)['name']}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <ErrorNotice error={save.error} />
        <Group>
          <Button type="submit" loading={save.isPending} disabled={name === current}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function PasswordForm() {
  const form = useForm({ initialValues: { current: '', next: '' } })
  const change = useMutation({
    mutationFn: (password: typeof form.values) => client.access.updateAccount({ password }),
    onSuccess: () => {
      form.reset()
      tell('The password is changed')
      // Changing the password may start a new session, which has a new CSRF token.
      return queryClient.invalidateQueries({ queryKey: sessionKey })
    },
  })
  const errors = toFieldErrors(change.error)
  return (
    <form onSubmit={form.onSubmit((values) => change.mutate(values))}>
      <Stack maw="26rem">
        <CurrentPassword
          label="Current password"
          {...form.getInputProps('current')}
          error={errors['password.current']}
        />
        <NewPassword label="New password" {...form.getInputProps('next')} error={errors['password.next']} />
        <ErrorNotice error={change.error} />
        <Group>
          <Button type="submit" loading={change.isPending}>
            Change the password
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
