import type { CrashGroup } from '@fairlead/contract'
import { Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { client } from '../api/client.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { DialogButtons } from '../ui/DialogButtons.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { tell } from '../ui/tell.ts'
import { toReleaseText } from './release-text.ts'

/** Resolves a group, in a version if one is given. */
export function ResolveDialog({ group, onClose }: { group: CrashGroup; onClose: () => void }) {
  const [version, setVersion] = useState('')
  const resolve = useMutation({
    mutationFn: () => {
      const resolvedInVersion = version.trim() === '' ? null : version.trim()
      return client.crashes.updateGroup(group.id, { status: 'resolved', resolvedInVersion })
    },
    onSuccess: () => {
      tell('The group is resolved')
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    resolve.mutate()
  }
  return (
    <Dialog onClose={onClose} isBusy={resolve.isPending} title="Resolve the group">
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label="Resolved in version"
            description="A version or a build number. A crash in a later one opens the group again."
            placeholder={group.lastRelease?.version ?? undefined}
            maxLength={500}
            value={version}
            onChange={(event) => setVersion(event.currentTarget.value)}
            data-autofocus
          />
          <Text size="sm" c="dimmed">
            Without a version, the group is opened again by a crash in a later release than{' '}
            {group.lastRelease ? toReleaseText(group.lastRelease) : 'the last one'}.
          </Text>
          <ErrorNotice error={resolve.error} />
          <DialogButtons action="Resolve it" isBusy={resolve.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  )
}
