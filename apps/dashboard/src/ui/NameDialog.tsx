import { Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Dialog } from './Dialog.tsx'
import { DialogButtons } from './DialogButtons.tsx'
import { ErrorNotice } from './ErrorNotice.tsx'
import { toFieldErrors } from './field-errors.ts'

interface NameDialogProps {
  title: string
  action: string
  name?: string
  /** Says what a good name tells. */
  description?: string
  maxLength?: number
  onSave: (name: string) => Promise<unknown>
  onClose: () => void
}

/** Asks for the name of something, to create or to rename it. */
export function NameDialog(props: NameDialogProps) {
  const { title, action, name: current = '', description, maxLength = 200, onSave, onClose } = props
  const [name, setName] = useState(current)
  const save = useMutation({ mutationFn: () => onSave(name), onSuccess: onClose })
  return (
    <Dialog onClose={onClose} isBusy={save.isPending} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <Stack>
          <TextInput
            label="Name"
            description={description}
            required
            maxLength={maxLength}
            data-autofocus
            value={name}
            error={toFieldErrors(save.error)['name']}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <ErrorNotice error={save.error} />
          <DialogButtons action={action} isBusy={save.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  )
}
