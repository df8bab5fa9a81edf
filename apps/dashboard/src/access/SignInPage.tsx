import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { client } from '../api/client.ts'
import { enterSession } from '../api/session.ts'
import { CodeField } from '../account/CodeField.tsx'
import { toFieldErrors } from '../ui/field-errors.ts'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { CurrentPassword } from '../ui/PasswordFields.tsx'
import { AccessPage } from './AccessPage.tsx'
import { AnchorLink } from '../ui/links.tsx'

const route = getRouteApi('/sign-in')

export function SignInPage() {
  const { next } = route.useSearch()
  const router = useRouter()
  const form = useForm({ initialValues: { email: '', password: '', code: '' } })
  const signIn = useMutation({
    mutationFn: ({ code, ...credentials }: typeof form.values) =>
      client.access.signIn({ ...credentials, ...(code !== '' && { code }) }),
    onSuccess: (session) => {
      enterSession(session)
      router.history.push(next ?? '/applications')
    },
  })
  // The server asks for the code once the password was right.
  const codeFault = toFieldErrors(signIn.error)['code']
  const needsCode = codeFault !== undefined || form.values.code !== ''
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
          {needsCode && (
            <CodeField
              autoFocus
              {...form.getInputProps('code')}
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
