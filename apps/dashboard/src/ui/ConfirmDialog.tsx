import { Code, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Dialog } from './Dialog.tsx'
import { DialogButtons } from './DialogButtons.tsx'
import { ErrorNotice } from './ErrorNotice.tsx'

interface ConfirmDialogProps {
  title: string
  /** Says what will be lost. */
  children: ReactNode
  action: string
  /** A text that the user must type before the button works; for actions that lose a lot. */
  typed?: string
  onConfirm: () => Promise<unknown>
  onClose: () => void
}

/** Asks for a confirmation before something is lost. */
export function ConfirmDialog({ title, children, action, typed, onConfirm, onClose }: ConfirmDialogProps) {
  const [text, setText] = useState('')
  const confirm = useMutation({ mutationFn: onConfirm, onSuccess: onClose })
  const isReady = typed === undefined || text.trim() === typed
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady) confirm.mutate()
  }
  return (
    <Dialog onClose={onClose} isBusy={confirm.isPending} title={title}>
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm" component="div">
            {children}
          </Text>
          {typed !== undefined && (
            <TextInput
              label={
                <>
                  Type <Code>{typed}</Code> to confirm
                </>
              }
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              autoComplete="off"
              data-autofocus
            />
          )}
          <ErrorNotice error={confirm.error} />
          <DialogButtons
            action={action}
            color="red.8"
            isBusy={confirm.isPending}
            isReady={isReady}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  )
}
