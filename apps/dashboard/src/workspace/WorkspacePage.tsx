import type { FeedbackRule, Workspace } from '@fairlead/contract'
import { Button, Group, NativeSelect, Stack, Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { client, queryClient, sessionKey } from '../api/client.ts'
import { useCan } from '../api/session.ts'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { Facts } from '../ui/Facts.tsx'
import { toFieldErrors } from '../ui/field-errors.ts'
import { formatCount } from '../ui/format.ts'
import { NumberField } from '../ui/NumberField.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Panel } from '../ui/Panel.tsx'
import { tell } from '../ui/tell.ts'
import { workspaceQuery } from './queries.ts'
import { SignInPanel } from './SignInPanel.tsx'

const defaultRetentionDays = 365

export function WorkspacePage() {
  const { data: workspace } = useSuspenseQuery(workspaceQuery)
  const isAdmin = useCan('admin')
  return (
    <>
      <PageHeader title="Workspace" />
      <Stack gap="lg">
        <Panel title="Settings">
          {isAdmin ? <SettingsForm key={workspace.id} workspace={workspace} /> : <Settings workspace={workspace} />}
        </Panel>
        {isAdmin && <SignInPanel workspace={workspace} />}
      </Stack>
    </>
  )
}

const feedbackRules: { value: FeedbackRule; label: string }[] = [
  { value: 'everyone', label: 'From everybody who has a link' },
  { value: 'testers', label: 'From testers, by their personal links' },
  { value: 'off', label: 'From nobody' },
]

function Settings({ workspace }: { workspace: Workspace }) {
  const { name, linkLifetimeDays, retentionDays, agentWrites, feedback } = workspace
  return (
    <Facts
      facts={[
        ['Name', name],
        ['Install links work for', formatCount(linkLifetimeDays, 'day')],
        [
          'Old builds',
          retentionDays === null ? 'are kept' : `go to the trash after ${formatCount(retentionDays, 'day')}`,
        ],
        ['Coding agents', agentWrites ? 'may write' : 'only read'],
        ['Feedback', feedbackRules.find(({ value }) => value === feedback)?.label ?? null],
      ]}
    />
  )
}

function SettingsForm({ workspace }: { workspace: Workspace }) {
  const form = useForm({
    initialValues: {
      name: workspace.name,
      linkLifetimeDays: workspace.linkLifetimeDays,
      isTwoFactorRequired: workspace.isTwoFactorRequired,
      agentWrites: workspace.agentWrites,
      feedback: workspace.feedback,
      deletes: workspace.retentionDays !== null,
      retentionDays: workspace.retentionDays ?? defaultRetentionDays,
    },
  })
  const update = useMutation({
    mutationFn: ({ deletes, retentionDays, ...values }: typeof form.values) =>
      client.workspace.update({ ...values, retentionDays: deletes ? retentionDays : null }),
    onSuccess: () => {
      form.resetDirty()
      tell('The settings are saved')
      // The session contains the workspace's name too.
      return queryClient.invalidateQueries({ queryKey: sessionKey })
    },
    onError: (error) => form.setErrors(toFieldErrors(error)),
  })
  return (
    <form onSubmit={form.onSubmit((values) => update.mutate(values))}>
      <Stack maw="30rem">
        <TextInput label="Name" required maxLength={200} {...form.getInputProps('name')} />
        <NumberField
          label="Install links work for"
          description="Counted from the upload; builds that are there keep their date"
          unit="days"
          min={1}
          max={3650}
          required
          {...form.getInputProps('linkLifetimeDays')}
        />
        <Switch
          label="Delete old builds"
          description={form.values.deletes ? undefined : 'Nothing is deleted by age.'}
          {...form.getInputProps('deletes', { type: 'checkbox' })}
        />
        {form.values.deletes && (
          <NumberField
            label="Move builds to the trash that are older than"
            unit="days"
            min={1}
            max={3650}
            required
            {...form.getInputProps('retentionDays')}
          />
        )}
        <Switch
          label="Require two-factor sign-in"
          description="Members without it can do nothing here until they set it up; API tokens are not affected"
          {...form.getInputProps('isTwoFactorRequired', { type: 'checkbox' })}
        />
        <Switch
          label="Let coding agents write"
          description="With a token of a developer: the status of crashes, quarantines and release notes, at /mcp/write"
          {...form.getInputProps('agentWrites', { type: 'checkbox' })}
        />
        <NativeSelect
          label="Feedback"
          description="Who may send it from the page of a build"
          data={feedbackRules}
          {...form.getInputProps('feedback')}
        />
        <ErrorNotice error={update.error} fields={Object.keys(form.values)} />
        <Group>
          <Button type="submit" loading={update.isPending} disabled={!form.isDirty()}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
