import { Button, Code, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { ErrorNotice } from './ErrorNotice.tsx'

interface ConfirmDialogProps {
  title: string
  /** Describes what will be deleted. */
  children: ReactNode
  action: string
  /** Text that must be typed to enable the button, for destructive actions with large effects. */
  typed?: string
  onConfirm: () => Promise<unknown>
  onClose: () => void
}

/** Asks for confirmation before a destructive action. */
export function ConfirmDialog({ title, children, action, typed, onConfirm, onClose }: ConfirmDialogProps) {
  const [text, setText] = useState('')
  const confirm = useMutation({ mutationFn: onConfirm, onSuccess: onClose })
  const isReady = typed === undefined || text.trim() === typed
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady) confirm.mutate()
  }
  return (
    <Modal opened onClose={onClose} title={title}>
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
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color="red.8" loading={confirm.isPending} disabled={!isReady}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
