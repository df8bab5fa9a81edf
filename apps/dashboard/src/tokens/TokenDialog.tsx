import type { CreatedApiToken, Role } from '@fairlead/contract'
import { Alert, Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { client } from '../api/client.ts'
import { CopyField } from '../ui/CopyField.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { DialogButtons } from '../ui/DialogButtons.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { toFieldErrors } from '../ui/field-errors.ts'
import { RoleSelect } from '../ui/RoleSelect.tsx'

const dayMs = 24 * 60 * 60 * 1000

const lifetimes = [
  { value: '', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
]

/** Creates a token and shows it once. */
export function TokenDialog({ onClose }: { onClose: () => void }) {
  const form = useForm<{ name: string; role: Role; days: string }>({
    initialValues: { name: '', role: 'developer', days: '' },
  })
  const create = useMutation({
    mutationFn: ({ name, role, days }: typeof form.values) =>
      client.apiTokens.create({
        name,
        role,
        expirationDate: days === '' ? null : new Date(Date.now() + Number(days) * dayMs).toISOString(),
      }),
    onError: (error) => form.setErrors(toFieldErrors(error)),
  })
  if (create.data) return <NewToken token={create.data} onClose={onClose} />
  return (
    <Dialog onClose={onClose} isBusy={create.isPending} title="New API token">
      <form onSubmit={form.onSubmit((values) => create.mutate(values))}>
        <Stack>
          <TextInput
            label="Name"
            description="What will use it, such as the CI job"
            required
            maxLength={200}
            data-autofocus
            {...form.getInputProps('name')}
          />
          <RoleSelect {...form.getInputProps('role')} />
          <NativeSelect label="Expires" data={lifetimes} {...form.getInputProps('days')} />
          <ErrorNotice error={create.error} fields={Object.keys(form.values)} />
          <DialogButtons action="Create" isBusy={create.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  )
}

function NewToken({ token, onClose }: { token: CreatedApiToken; onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title={token.name} closeOnClickOutside={false} closeOnEscape={false}>
      <Stack>
        <Alert icon={<KeyRound size={18} />} title="Copy the token now">
          It is shown only once: the server stores only a hash of it.
        </Alert>
        <CopyField label="API token" value={token.token} />
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
