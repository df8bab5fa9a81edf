import type { Application, Platform } from '@fairlead/contract'
import { Input, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { client } from '../api/client.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { DialogButtons } from '../ui/DialogButtons.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { toFieldErrors } from '../ui/field-errors.ts'
import { toAlias } from './alias.ts'

interface ApplicationDialogProps {
  onClose: () => void
  onCreated: (application: Application) => void
}

interface ApplicationFields {
  name: string
  alias: string
  platform: Platform
  bundleIdentifier: string
}

/** Creates an application. */
export function ApplicationDialog({ onClose, onCreated }: ApplicationDialogProps) {
  const form = useForm<ApplicationFields>({
    initialValues: { name: '', alias: '', platform: 'android', bundleIdentifier: '' },
    onValuesChange: ({ name, alias }, previous) => {
      // The alias is derived from the name until the user types another.
      if (name !== previous.name && alias === toAlias(previous.name)) form.setFieldValue('alias', toAlias(name))
    },
  })
  const create = useMutation({
    mutationFn: ({ bundleIdentifier, ...values }: typeof form.values) =>
      client.applications.create({ ...values, bundleIdentifier: bundleIdentifier.trim() || null }),
    onSuccess: (application) => {
      onCreated(application)
      onClose()
    },
    onError: (error) => form.setErrors(toFieldErrors(error)),
  })
  return (
    <Dialog onClose={onClose} isBusy={create.isPending} title="New application">
      <form onSubmit={form.onSubmit((values) => create.mutate(values))}>
        <Stack>
          <TextInput label="Name" required data-autofocus maxLength={200} {...form.getInputProps('name')} />
          <Input.Wrapper label="Platform" labelElement="div">
            <SegmentedControl
              fullWidth
              aria-label="Platform"
              data={[
                { value: 'android', label: 'Android' },
                { value: 'ios', label: 'iOS' },
              ]}
              {...form.getInputProps('platform')}
            />
          </Input.Wrapper>
          <TextInput
            label="Alias"
            description="How CI names it: a–z, 0–9 and hyphens. Fixed once there are builds."
            required
            pattern="[a-z0-9\-]{1,64}"
            title="1 to 64 of a-z, 0-9 and -"
            {...form.getInputProps('alias')}
          />
          <TextInput
            label={form.values.platform === 'android' ? 'Package name' : 'Bundle identifier'}
            description="Optional: taken from the first build"
            placeholder="com.example.app"
            maxLength={255}
            {...form.getInputProps('bundleIdentifier')}
          />
          <ErrorNotice error={create.error} fields={Object.keys(form.values)} />
          <DialogButtons action="Create" isBusy={create.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  )
}
