import { Button, Checkbox, Loader, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { InvitationPreview } from '@fairlead/contract'
import { useState } from 'react'
import { CodeField } from '../account/CodeField.tsx'
import { rememberWorkspace } from '../api/chosen-workspace.ts'
import { client } from '../api/client.ts'
import { enterSession } from '../api/session.ts'
import { signInOptionsQuery } from '../api/sign-in-options.ts'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { toFieldErrors } from '../ui/field-errors.ts'
import { CurrentPassword, NewPassword } from '../ui/PasswordFields.tsx'
import { roleNames } from '../ui/role-names.ts'
import { AccessPage } from './AccessPage.tsx'
import { ProviderButtons } from './ProviderButtons.tsx'

const route = getRouteApi('/invitation')

export function InvitationPage() {
  const { token } = route.useSearch()
  const preview = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => client.access.previewInvitation(token),
    // Accepting uses the invitation up, so a refetch would only report that it no longer exists.
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (preview.isPending) {
    return (
      <AccessPage title="Invitation">
        <Loader aria-label="Loading" />
      </AccessPage>
    )
  }
  if (preview.isError) {
    return (
      <AccessPage title="Invitation">
        <ErrorNotice error={preview.error} />
        <Text size="sm" c="dimmed">
          Ask an administrator of the workspace for a new one.
        </Text>
      </AccessPage>
    )
  }
  return <AcceptForm token={token} invitation={preview.data} />
}

function AcceptForm({ token, invitation }: { token: string; invitation: InvitationPreview }) {
  const { email, role, workspaceName } = invitation
  // The preview of a link that was not mailed does not tell whether an account exists, so the person says so.
  const [saysAccount, setSaysAccount] = useState(false)
  const hasAccount = invitation.hasAccount ?? saysAccount
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const navigate = useNavigate()
  const { data: options } = useQuery(signInOptionsQuery)
  const accept = useMutation({
    mutationFn: () =>
      client.access.acceptInvitation({
        token,
        password,
        ...(hasAccount ? {} : { name }),
        ...(code !== '' && { code }),
      }),
    onSuccess: (session) => {
      const joined = session.workspaces.find((workspace) => workspace.name === workspaceName)
      if (joined) rememberWorkspace(joined.id)
      enterSession(session)
      void navigate({ to: '/applications' })
    },
  })
  const errors = toFieldErrors(accept.error)
  return (
    <AccessPage title={`Join ${workspaceName}`}>
      <Text size="sm" c="dimmed">
        You are invited as <b>{roleNames[role].toLowerCase()}</b>
        {hasAccount ? '. Your account is asked for its password.' : '. Choose how you will sign in.'}
      </Text>
      <ProviderButtons options={options} returnTo="/applications" />
      <form
        onSubmit={(event) => {
          event.preventDefault()
          accept.mutate()
        }}
      >
        <Stack>
          <TextInput label="E-mail address" type="email" autoComplete="username" readOnly value={email} />
          {hasAccount ? (
            <CurrentPassword value={password} onChange={setPassword} error={errors['password']} />
          ) : (
            <>
              <TextInput
                label="Your name"
                autoComplete="name"
                required
                value={name}
                error={errors['name']}
                onChange={(event) => setName(event.currentTarget.value)}
              />
              <NewPassword value={password} onChange={setPassword} error={errors['password']} />
            </>
          )}
          {(errors['code'] !== undefined || code !== '') && (
            <CodeField value={code} error={errors['code']} onChange={(event) => setCode(event.currentTarget.value)} />
          )}
          {invitation.hasAccount === null && (
            <Checkbox
              label="I have an account here already"
              checked={saysAccount}
              onChange={(event) => setSaysAccount(event.currentTarget.checked)}
            />
          )}
          <ErrorNotice error={accept.error} />
          <Button type="submit" loading={accept.isPending} fullWidth>
            Join
          </Button>
        </Stack>
      </form>
    </AccessPage>
  )
}
