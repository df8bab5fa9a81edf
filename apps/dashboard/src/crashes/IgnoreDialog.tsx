import type { CrashGroup } from '@fairlead/contract'
import { Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { client } from '../api/client.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { DialogButtons } from '../ui/DialogButtons.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { tell } from '../ui/tell.ts'

/** Ignores a group, for good or until a day. */
export function IgnoreDialog({ group, onClose }: { group: CrashGroup; onClose: () => void }) {
  const [day, setDay] = useState('')
  const ignore = useMutation({
    mutationFn: () => {
      // A day without a time is read as one in UTC, and the user means the local one.
      const ignoredUntilDate = day === '' ? null : new Date(`${day}T00:00`).toISOString()
      return client.crashes.updateGroup(group.id, { status: 'ignored', ignoredUntilDate })
    },
    onSuccess: () => {
      tell('The group is ignored')
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    ignore.mutate()
  }
  return (
    <Dialog onClose={onClose} isBusy={ignore.isPending} title="Ignore the group">
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            type="date"
            label="Until"
            description="Its crashes are still counted. Without a day, the group is ignored until somebody opens it."
            value={day}
            onChange={(event) => setDay(event.currentTarget.value)}
          />
          <ErrorNotice error={ignore.error} />
          <DialogButtons action="Ignore it" isBusy={ignore.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  )
}
