import type { Build, InstallLink } from '@fairlead/contract'
import { Stack, Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery } from '@tanstack/react-query'
import { client } from '../api/client.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { DialogButtons } from '../ui/DialogButtons.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { toFieldErrors } from '../ui/field-errors.ts'
import { tell } from '../ui/tell.ts'
import { installLinkQuery } from './install-link-query.ts'

/** Extends, revokes and protects the install link of a build. */
export function InstallLinkDialog({ build, onClose }: { build: Build; onClose: () => void }) {
  const link = useQuery(installLinkQuery(build.id))
  return (
    <Dialog onClose={onClose} title="Change the install link">
      <ErrorNotice error={link.error} />
      {link.data && <LinkForm build={build} link={link.data} onClose={onClose} />}
    </Dialog>
  )
}

function LinkForm({ build, link, onClose }: { build: Build; link: InstallLink; onClose: () => void }) {
  const lastDay = link.expirationDate.slice(0, 10)
  const form = useForm({
    initialValues: { lastDay, isRevoked: link.isRevoked, isProtected: link.hasPassword, password: '' },
  })
  const update = useMutation({
    mutationFn: (values: typeof form.values) =>
      client.security.updateInstallLink(build.id, {
        ...(values.lastDay !== lastDay && { expirationDate: `${values.lastDay}T23:59:59.999Z` }),
        isRevoked: values.isRevoked,
        ...(!values.isProtected && link.hasPassword && { password: null }),
        ...(values.isProtected && values.password !== '' && { password: values.password }),
      }),
    onSuccess: () => {
      tell('The install link is changed')
      onClose()
    },
  })
  const errors = toFieldErrors(update.error)
  return (
    <form onSubmit={form.onSubmit((values) => update.mutate(values))}>
      <Stack>
        <TextInput
          type="date"
          label="Works until the end of"
          description="In universal time (UTC)"
          required
          {...form.getInputProps('lastDay')}
          error={errors['expirationDate']}
        />
        <Switch
          label="Ask for a password"
          description="Before the page shows what to install. Tell it to your testers yourself."
          {...form.getInputProps('isProtected', { type: 'checkbox' })}
        />
        {form.values.isProtected && (
          <TextInput
            label={link.hasPassword ? 'New password' : 'Password of the link'}
            description={link.hasPassword ? 'Left empty, the password stays as it is' : undefined}
            autoComplete="off"
            required={!link.hasPassword}
            minLength={4}
            maxLength={200}
            {...form.getInputProps('password')}
            error={errors['password']}
          />
        )}
        <Switch
          label="Revoke the link"
          description="Nobody can open it, and downloads that it allowed end"
          {...form.getInputProps('isRevoked', { type: 'checkbox' })}
        />
        <ErrorNotice error={update.error} />
        <DialogButtons action="Save" isBusy={update.isPending} onCancel={onClose} />
      </Stack>
    </form>
  )
}
