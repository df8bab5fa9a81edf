import type { SetUp, SetUpDone } from '@fairlead/contract'
import { Alert, Button, Loader, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import { client } from '../api/client.ts'
import { enterSession } from '../api/session.ts'
import { CopyField } from '../ui/CopyField.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { toFieldErrors } from '../ui/field-errors.ts'
import { NewPassword } from '../ui/PasswordFields.tsx'
import { AccessPage } from './AccessPage.tsx'
import { ButtonLink } from '../ui/links.tsx'

const route = getRouteApi('/setup')

/** Makes the first account, its workspace and a first token, by the one-time link of the first start. */
export function SetUpPage() {
  const { code } = route.useSearch()
  const state = useQuery({ queryKey: ['setUp'], queryFn: ({ signal }) => client.access.getSetUp({ signal }) })
  const form = useForm({ initialValues: { email: '', name: '', password: '', workspaceName: '' } })
  const setUp = useMutation({
    mutationFn: (body: SetUp) => client.access.setUp(body),
    onSuccess: ({ session }) => enterSession(session),
    onError: (error) => form.setErrors(toFieldErrors(error)),
  })
  if (setUp.data) return <FirstToken done={setUp.data} />
  if (state.isPending) {
    return (
      <AccessPage title="Set up Fairlead">
        <Loader aria-label="Loading" />
      </AccessPage>
    )
  }
  if (state.data?.isDone === true) return <AlreadySetUp />
  if (code === '') return <NoCode />
  return (
    <AccessPage title="Set up Fairlead">
      <Text size="sm" c="dimmed">
        This creates the first administrator and a workspace, which holds your applications, testers and members.
      </Text>
      <form onSubmit={form.onSubmit((values) => setUp.mutate({ ...values, code }))}>
        <Stack>
          <TextInput label="Your name" autoComplete="name" required autoFocus {...form.getInputProps('name')} />
          <TextInput
            label="E-mail address"
            type="email"
            autoComplete="username"
            required
            {...form.getInputProps('email')}
          />
          <NewPassword {...form.getInputProps('password')} />
          <TextInput
            label="Workspace"
            description="The name of your team or company"
            required
            autoComplete="organization"
            {...form.getInputProps('workspaceName')}
          />
          <ErrorNotice error={setUp.error} fields={Object.keys(form.values)} />
          <Button type="submit" loading={setUp.isPending} fullWidth>
            Set up
          </Button>
        </Stack>
      </form>
    </AccessPage>
  )
}

function FirstToken({ done }: { done: SetUpDone }) {
  return (
    <AccessPage title="Ready">
      <Alert icon={<KeyRound size={18} />} title="Your first API token">
        Store it in the secrets of your CI now: it is not shown again.
      </Alert>
      <CopyField label="API token" value={done.apiToken.token} />
      <ButtonLink to="/applications">Go to the applications</ButtonLink>
    </AccessPage>
  )
}

function NoCode() {
  return (
    <AccessPage title="Set up Fairlead">
      <Text size="sm">Open the link that the server prints at every start until it is set up.</Text>
    </AccessPage>
  )
}

function AlreadySetUp() {
  return (
    <AccessPage title="Already set up">
      <Text size="sm">
        This server has its first account. Sign in with yours, or ask an administrator of a workspace to invite you.
      </Text>
      <ButtonLink to="/sign-in">Sign in</ButtonLink>
    </AccessPage>
  )
}
