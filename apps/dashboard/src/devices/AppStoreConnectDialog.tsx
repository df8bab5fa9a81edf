import type { AppStoreConnect } from '@fairlead/contract'
import { Button, Group, Skeleton, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery } from '@tanstack/react-query'
import { client } from '../api/client.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { toFieldErrors } from '../ui/field-errors.ts'
import { tell } from '../ui/tell.ts'
import { appStoreConnectQuery } from './queries.ts'

const title = 'App Store Connect key'

/** Sets or removes the key by which devices are registered at Apple. The server never shows the key again. */
export function AppStoreConnectDialog({ onClose }: { onClose: () => void }) {
  const { data: saved, error } = useQuery(appStoreConnectQuery)
  if (saved !== undefined) return <KeyDialog saved={saved} onClose={onClose} />
  return (
    <Dialog onClose={onClose} title={title} size="lg">
      {error ? <ErrorNotice error={error} /> : <Skeleton height={280} />}
    </Dialog>
  )
}

function KeyDialog({ saved, onClose }: { saved: AppStoreConnect | null; onClose: () => void }) {
  const form = useForm({
    initialValues: { issuerId: saved?.issuerId ?? '', keyId: saved?.keyId ?? '', privateKey: '' },
  })
  const save = useMutation({
    mutationFn: (values: typeof form.values) => client.devices.saveAppStoreConnect(values),
    onSuccess: () => {
      tell('Apple has accepted the key')
      onClose()
    },
    onError: (error) => form.setErrors(toFieldErrors(error)),
  })
  const remove = useMutation({
    mutationFn: () => client.devices.removeAppStoreConnect(),
    onSuccess: () => {
      tell('The key is deleted')
      onClose()
    },
  })
  const isBusy = save.isPending || remove.isPending
  return (
    <Dialog onClose={onClose} isBusy={isBusy} title={title} size="lg">
      <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
        <Stack>
          <Text size="sm">
            With a key, administrators register devices from this page. It is tried at Apple first, kept encrypted, and
            never shown.
          </Text>
          <TextInput label="Issuer ID" required autoComplete="off" {...form.getInputProps('issuerId')} />
          <TextInput label="Key ID" required maxLength={20} autoComplete="off" {...form.getInputProps('keyId')} />
          <Textarea
            label="Private key"
            description="The content of the file AuthKey_….p8"
            required
            autosize
            minRows={5}
            maxRows={8}
            maxLength={5000}
            autoComplete="off"
            spellCheck={false}
            {...form.getInputProps('privateKey')}
          />
          <ErrorNotice error={save.error ?? remove.error} fields={Object.keys(form.values)} />
          <Group justify="flex-end">
            {saved && (
              <Button
                variant="default"
                mr="auto"
                loading={remove.isPending}
                disabled={isBusy}
                onClick={() => remove.mutate()}
              >
                Delete the key
              </Button>
            )}
            <Button variant="default" onClick={onClose} disabled={isBusy}>
              Cancel
            </Button>
            <Button type="submit" loading={save.isPending} disabled={isBusy}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
