import type { SignIn } from '@fairlead/contract'
import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { client } from '../api/client.ts'
import { enterSession } from '../api/session.ts'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { CurrentPassword } from '../ui/PasswordFields.tsx'
import { AccessPage } from './AccessPage.tsx'
import { AnchorLink } from '../ui/links.tsx'

const route = getRouteApi('/sign-in')

export function SignInPage() {
  const { next } = route.useSearch()
  const router = useRouter()
  const form = useForm({ initialValues: { email: '', password: '' } })
  const signIn = useMutation({
    mutationFn: (body: SignIn) => client.access.signIn(body),
    onSuccess: (session) => {
      enterSession(session)
      router.history.push(next ?? '/applications')
    },
  })
  return (
    <AccessPage title="Sign in">
      <form onSubmit={form.onSubmit((values) => signIn.mutate(values))}>
        <Stack>
          <TextInput
            label="E-mail address"
            type="email"
            autoComplete="username"
            required
            autoFocus
            {...form.getInputProps('email')}
          />
          <CurrentPassword {...form.getInputProps('password')} />
          <ErrorNotice error={signIn.error} />
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
