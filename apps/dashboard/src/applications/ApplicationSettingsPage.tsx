import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { client, queryClient } from '../api/client.ts'
import { useCan } from '../api/session.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { toFieldErrors } from '../ui/field-errors.ts'
import { formatCount } from '../ui/format.ts'
import { Panel } from '../ui/Panel.tsx'
import { tell } from '../ui/tell.ts'
import { applicationQuery, applicationsQuery } from './queries.ts'
import { TestSettings } from './TestSettings.tsx'

const route = getRouteApi('/shell/applications/$applicationId/settings')

export function ApplicationSettingsPage() {
  const { applicationId } = route.useParams()
  const { data: application } = useSuspenseQuery(applicationQuery(applicationId))
  const [isDeleting, dialog] = useDisclosure()
  const navigate = useNavigate()
  const hasBuilds = application.buildCount > 0
  const form = useForm({
    initialValues: {
      name: application.name,
      alias: application.alias,
      bundleIdentifier: application.bundleIdentifier ?? '',
      defaultBranch: application.defaultBranch,
      commitUrl: application.commitUrl ?? '',
    },
  })
  const update = useMutation({
    mutationFn: ({ name, alias, bundleIdentifier, defaultBranch, commitUrl }: typeof form.values) =>
      client.applications.update(applicationId, {
        name,
        defaultBranch,
        commitUrl: commitUrl.trim() || null,
        ...(hasBuilds ? {} : { alias, bundleIdentifier: bundleIdentifier.trim() || null }),
      }),
    onSuccess: () => {
      form.resetDirty()
      tell('The application is saved')
    },
    onError: (error) => form.setErrors(toFieldErrors(error)),
  })
  const remove = async () => {
    await client.applications.remove(applicationId)
    queryClient.removeQueries({ queryKey: applicationsQuery.queryKey, exact: true })
    await navigate({ to: '/applications' })
    queryClient.removeQueries({ queryKey: ['applications', applicationId] })
    tell(`${application.name} is deleted`)
  }
  if (!useCan('admin')) return <Alert>Only administrators change the settings of an application.</Alert>
  return (
    <Stack gap="lg">
      <Panel title="General">
        <form onSubmit={form.onSubmit((values) => update.mutate(values))}>
          <Stack maw="30rem">
            <TextInput label="Name" required maxLength={200} {...form.getInputProps('name')} />
            <TextInput
              label="Alias"
              required
              disabled={hasBuilds}
              description={hasBuilds ? 'Fixed, because there are builds' : 'a–z, 0–9 and hyphens'}
              {...form.getInputProps('alias')}
            />
            <TextInput
              label={application.platform === 'android' ? 'Package name' : 'Bundle identifier'}
              disabled={hasBuilds}
              description={hasBuilds ? 'Fixed, because there are builds' : 'Optional: taken from the first build'}
              {...form.getInputProps('bundleIdentifier')}
            />
            <TextInput
              label="Default branch"
              required
              maxLength={200}
              description="Test runs are compared with this branch"
              {...form.getInputProps('defaultBranch')}
            />
            <TextInput
              label="Link to a commit"
              placeholder="https://git.example.com/shop/commit/{commit}"
              maxLength={500}
              description="Optional: makes commits links to the repository. {commit} stands for the hash."
              {...form.getInputProps('commitUrl')}
            />
            <ErrorNotice error={update.error} fields={Object.keys(form.values)} />
            <Group>
              <Button type="submit" loading={update.isPending} disabled={!form.isDirty()}>
                Save
              </Button>
            </Group>
          </Stack>
        </form>
      </Panel>
      <TestSettings applicationId={applicationId} />
      <Panel title="Delete">
        <Stack align="flex-start">
          <Text size="sm" c="dimmed">
            Deletes the application with its {formatCount(application.buildCount, 'build')} and all symbols. Install
            links stop working. This cannot be undone.
          </Text>
          <Button color="red" variant="light" onClick={dialog.open}>
            Delete the application
          </Button>
        </Stack>
      </Panel>
      {isDeleting && (
        <ConfirmDialog
          title="Delete the application"
          action="Delete it"
          typed={application.alias}
          onConfirm={remove}
          onClose={dialog.close}
        >
          <b className="break">{application.name}</b>, its {formatCount(application.buildCount, 'build')} and all its
          symbols will be deleted for good.
        </ConfirmDialog>
      )}
    </Stack>
  )
}
