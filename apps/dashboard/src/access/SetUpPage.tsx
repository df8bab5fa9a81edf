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
import { Facts } from '../ui/Facts.tsx'
import { toFieldErrors } from '../ui/field-errors.ts'
import { NewPassword } from '../ui/PasswordFields.tsx'
import { AccessPage } from './AccessPage.tsx'
import { setUpQuery } from './set-up-query.ts'
import { ButtonLink } from '../ui/links.tsx'

const route = getRouteApi('/setup')

/** Makes the first account, its workspace and a first token, by the one-time link of the first start. */
export function SetUpPage() {
  const { code } = route.useSearch()
  const state = useQuery(setUpQuery)
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
      <ButtonLink to="/start">Get started</ButtonLink>
      <ButtonLink to="/applications" variant="default">
        Go to the applications
      </ButtonLink>
    </AccessPage>
  )
}

function NoCode() {
  return (
    <AccessPage title="This server is not set up yet">
      <Text size="sm">
        Its log has a link that makes the first account. It begins with <b>Set up Fairlead:</b> and stands at the end of
        what the server printed when it started.
      </Text>
      <Text size="sm">Where the log is:</Text>
      <Facts
        facts={[
          ['Terminal', 'where you started it'],
          ['Docker', <code key="docker">docker compose logs | grep &quot;Set up&quot;</code>],
          ['systemd', <code key="systemd">journalctl -u fairlead | grep &quot;Set up&quot;</code>],
          ['Kubernetes', <code key="kubernetes">kubectl logs deployment/fairlead | grep &quot;Set up&quot;</code>],
        ]}
      />
      <Text size="sm" c="dimmed">
        The link works once, and every start prints a new one. If its address is not the one of this page, set{' '}
        <code>FAIRLEAD_BASE_URL</code> to <code>{location.origin}</code>.
      </Text>
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
