import type { ProveIdentity } from '@fairlead/contract'
import { Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { queryClient, sessionKey } from '../api/client.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { DialogButtons } from '../ui/DialogButtons.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { toFieldErrors } from '../ui/field-errors.ts'
import { CurrentPassword } from '../ui/PasswordFields.tsx'
import { CodeField } from './CodeField.tsx'

interface ProveDialogProps {
  title: string
  action: string
  onProve: (proof: ProveIdentity) => Promise<unknown>
  onClose: () => void
}

/** Asks for password and code before a change of two-factor sign-in. */
export function ProveDialog({ title, action, onProve, onClose }: ProveDialogProps) {
  const form = useForm({ initialValues: { password: '', code: '' } })
  const prove = useMutation({
    mutationFn: onProve,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: sessionKey })
      onClose()
    },
  })
  const errors = toFieldErrors(prove.error)
  return (
    <Dialog onClose={onClose} title={title}>
      <form onSubmit={form.onSubmit((values) => prove.mutate(values))}>
        <Stack>
          <CurrentPassword {...form.getInputProps('password')} error={errors['password']} />
          <CodeField {...form.getInputProps('code')} error={errors['code']} />
          <ErrorNotice error={prove.error} />
          <DialogButtons action={action} isBusy={prove.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  )
}
