import type { SignIn } from '@fairlead/contract'
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { client } from '../api/client.ts'
import { enterSession } from '../api/session.ts'
import { signInOptionsQuery } from '../api/sign-in-options.ts'
import { CodeField } from '../account/CodeField.tsx'
import { toFieldErrors } from '../ui/field-errors.ts'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { AnchorLink } from '../ui/links.tsx'
import { CurrentPassword } from '../ui/PasswordFields.tsx'
import { AccessPage } from './AccessPage.tsx'
import { FirstInvitation } from './FirstInvitation.tsx'
import { ProviderButtons } from './ProviderButtons.tsx'
import { setUpQuery } from './set-up-query.ts'

const route = getRouteApi('/sign-in')

/** Signs in with plain fields, because the library for forms would double what this page loads. */
export function SignInPage() {
  const { next } = route.useSearch()
  const { data: options } = useQuery(signInOptionsQuery)
  const { data: setUp } = useQuery(setUpQuery)
  const router = useRouter()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const signIn = useMutation({
    mutationFn: (body: SignIn) => client.access.signIn(body),
    onSuccess: (session) => {
      enterSession(session)
      router.history.push(next ?? '/applications')
    },
  })
  // The server asks for the code once the password was right.
  const codeFault = toFieldErrors(signIn.error)['code']
  const needsCode = codeFault !== undefined || code !== ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    signIn.mutate({ email, password, ...(code !== '' && { code }) })
  }
  return (
    <AccessPage title="Sign in">
      {setUp?.hasAccount === false && <FirstInvitation />}
      <ProviderButtons options={options} returnTo={next ?? '/applications'} />
      {options?.passwords === 'server-admins' && (
        <Text size="sm" c="dimmed">
          Passwords are for administrators of this server.
        </Text>
      )}
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label="E-mail address"
            type="email"
            autoComplete="username"
            required
            autoFocus
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <CurrentPassword value={password} onChange={setPassword} />
          {needsCode && (
            <CodeField
              autoFocus
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
              error={codeFault === 'is missing' ? undefined : codeFault}
            />
          )}
          <ErrorNotice error={codeFault === undefined ? signIn.error : null} />
          <Button type="submit" loading={signIn.isPending} fullWidth>
            Sign in
          </Button>
          <Group justify="center">
            <AnchorLink to="/forgot-password" size="sm">
              Forgot the password?
            </AnchorLink>
          </Group>
        </Stack>
      </form>
    </AccessPage>
  )
}
