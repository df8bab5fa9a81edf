import { Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type RefObject, useState } from 'react'
import { client, queryClient, sessionKey } from '../api/client.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { DialogButtons } from '../ui/DialogButtons.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { toFieldErrors } from '../ui/field-errors.ts'

interface NewWorkspaceDialogProps {
  onClose: () => void
  onCreated: (id: number) => void
  returnFocusTo?: RefObject<HTMLElement | null>
}

export function NewWorkspaceDialog({ onClose, onCreated, returnFocusTo }: NewWorkspaceDialogProps) {
  const [name, setName] = useState('')
  const create = useMutation({
    mutationFn: () => client.workspace.create({ name }),
    onSuccess: async ({ id }) => {
      await queryClient.refetchQueries({ queryKey: sessionKey })
      onCreated(id)
      onClose()
    },
  })
  return (
    <Dialog onClose={onClose} isBusy={create.isPending} title="New workspace" returnFocusTo={returnFocusTo}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate()
        }}
      >
        <Stack>
          <Text size="sm" c="dimmed">
            A workspace has its own applications, testers, tokens and members; nothing crosses it.
          </Text>
          <TextInput
            label="Name"
            required
            maxLength={200}
            data-autofocus
            value={name}
            error={toFieldErrors(create.error)['name']}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <ErrorNotice error={create.error} />
          <DialogButtons action="Create" isBusy={create.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  )
}
