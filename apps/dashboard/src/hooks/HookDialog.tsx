import {
  type CreatedHook,
  type CreateHook,
  type Hook,
  HookEventType,
  HookFormat,
  HookInclude,
} from '@fairlead/contract'
import { Alert, Button, Checkbox, Group, NativeSelect, PasswordInput, Stack, Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { client } from '../api/client.ts'
import { CopyField } from '../ui/CopyField.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { DialogButtons } from '../ui/DialogButtons.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { toFieldErrors } from '../ui/field-errors.ts'
import { tell } from '../ui/tell.ts'
import { ApplicationChoice } from './ApplicationChoice.tsx'
import { eventNames, formatNames, includeNames } from './hook-words.ts'

interface Values {
  name: string
  url: string
  format: HookFormat
  isAll: boolean
  events: string[]
  includes: string[]
  isEverywhere: boolean
  applicationIds: string[]
  feishuSecret: string
}

/** Makes a hook and shows its secret once, or changes one. */
export function HookDialog({ hook, onClose }: { hook?: Hook; onClose: () => void }) {
  const form = useForm<Values>({ initialValues: toValues(hook) })
  const create = useMutation({ mutationFn: (values: Values) => client.hooks.create(toRequest(values)) })
  const change = useMutation({
    mutationFn: ({ id, values }: { id: number; values: Values }) => {
      const { name, url, events, includes, applicationIds } = toRequest(values)
      return client.hooks.update(id, {
        name,
        url,
        events,
        ...(includes && { includes }),
        ...(applicationIds !== undefined && { applicationIds }),
      })
    },
    onSuccess: () => {
      tell('The hook is changed')
      onClose()
    },
  })
  const submit = (values: Values) => {
    if (hook) change.mutate({ id: hook.id, values })
    else create.mutate(values)
  }
  if (create.data) {
    return create.data.format === 'standard' ? (
      <SecretDialog title={create.data.name} secret={create.data.secret} onClose={onClose} />
    ) : (
      <MadeDialog hook={create.data} onClose={onClose} />
    )
  }
  const isBusy = create.isPending || change.isPending
  const error = create.error ?? change.error
  const errors = toFieldErrors(error)
  const { values } = form
  return (
    <Dialog onClose={onClose} isBusy={isBusy} title={hook ? 'Change the hook' : 'New hook'}>
      <form onSubmit={form.onSubmit(submit)}>
        <Stack>
          <TextInput
            label="Name"
            description="Where it leads, such as the release channel"
            required
            maxLength={200}
            data-autofocus
            {...form.getInputProps('name')}
            error={errors['name']}
          />
          <NativeSelect
            label="Receiver"
            data={HookFormat.options.map((value) => ({ value, label: formatNames[value] }))}
            disabled={hook !== undefined}
            {...form.getInputProps('format')}
          />
          <TextInput
            label="Address"
            description="The https address that the receiver gives for incoming webhooks"
            type="url"
            required
            maxLength={2048}
            {...form.getInputProps('url')}
            error={errors['url']}
          />
          {values.format === 'feishu' && !hook && (
            <PasswordInput
              label="Signature key of the bot"
              description="If its settings ask for a signature"
              {...form.getInputProps('feishuSecret')}
            />
          )}
          <Switch label="All events but installs" {...form.getInputProps('isAll', { type: 'checkbox' })} />
          {!values.isAll && (
            <Checkbox.Group label="Events" required {...form.getInputProps('events')} error={errors['events']}>
              <Stack gap="xs" mt="xs">
                {Object.entries(eventNames).map(([type, label]) => (
                  <Checkbox key={type} value={type} label={label} />
                ))}
              </Stack>
            </Checkbox.Group>
          )}
          <Switch label="Of all applications" {...form.getInputProps('isEverywhere', { type: 'checkbox' })} />
          {!values.isEverywhere && (
            <ApplicationChoice
              value={values.applicationIds}
              onChange={(ids) => form.setFieldValue('applicationIds', ids)}
              error={errors['applicationIds']}
            />
          )}
          <Checkbox.Group
            label="Also send"
            description="Messages hold ids, links and small facts. Many may read a chat."
            {...form.getInputProps('includes')}
          >
            <Stack gap="xs" mt="xs">
              {HookInclude.options.map((include) => (
                <Checkbox key={include} value={include} label={includeNames[include]} />
              ))}
            </Stack>
          </Checkbox.Group>
          <ErrorNotice error={error} fields={Object.keys(values)} />
          <DialogButtons
            action={hook ? 'Save' : 'Create'}
            isBusy={isBusy}
            isReady={!isIncomplete(values)}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  )
}

/** Shows a secret, once. */
export function SecretDialog({ title, secret, onClose }: { title: string; secret: string; onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title={title} closeOnClickOutside={false} closeOnEscape={false}>
      <Stack>
        <Alert icon={<KeyRound size={18} />} title="Copy the secret now">
          The receiver verifies deliveries with it. It is shown only once.
        </Alert>
        <CopyField label="Secret" value={secret} />
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

function MadeDialog({ hook, onClose }: { hook: CreatedHook; onClose: () => void }) {
  const test = useMutation({
    mutationFn: () => client.hooks.test(hook.id),
    onSuccess: () => {
      tell('A test is on its way')
      onClose()
    },
  })
  return (
    <Dialog onClose={onClose} isBusy={test.isPending} title={hook.name}>
      <Stack>
        The hook is there. A test shows whether the chat takes its messages.
        <ErrorNotice error={test.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={test.isPending}>
            Done
          </Button>
          <Button onClick={() => test.mutate()} loading={test.isPending}>
            Send a test
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

/** Says whether something has to be chosen yet. */
function isIncomplete({ isAll, events, isEverywhere, applicationIds }: Values): boolean {
  return (!isAll && events.length === 0) || (!isEverywhere && applicationIds.length === 0)
}

function toValues(hook: Hook | undefined): Values {
  return {
    name: hook?.name ?? '',
    url: hook?.url ?? '',
    format: hook?.format ?? 'standard',
    isAll: hook?.events.includes('*') ?? true,
    events: hook?.events.filter((event) => event !== '*') ?? [],
    includes: hook?.includes ?? [],
    isEverywhere: (hook?.applicationIds ?? null) === null,
    applicationIds: hook?.applicationIds?.map(String) ?? [],
    feishuSecret: '',
  }
}

function toRequest({
  isAll,
  events,
  includes,
  isEverywhere,
  applicationIds,
  feishuSecret,
  ...values
}: Values): CreateHook {
  return {
    ...values,
    events: isAll ? ['*'] : HookEventType.options.filter((type) => events.includes(type)),
    includes: HookInclude.options.filter((include) => includes.includes(include)),
    applicationIds: isEverywhere ? null : applicationIds.map(Number),
    ...(feishuSecret !== '' && { feishuSecret }),
  }
}
