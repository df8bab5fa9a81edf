import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'

interface DialogButtonsProps {
  /** The label of the button that carries the dialog out, such as "Create". */
  action: ReactNode
  color?: string
  /** Whether an answer is awaited. Until then neither button can be pressed. */
  isBusy: boolean
  /** Whether what was entered is enough for the action. */
  isReady?: boolean
  /** Does the action of a dialog without a form. In a form the button submits it. */
  onAction?: () => void
  onCancel: () => void
}

/** The last row of a dialog: a button that leaves it, and one that does what it is for. */
export function DialogButtons({ action, color, isBusy, isReady = true, onAction, onCancel }: DialogButtonsProps) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onCancel} disabled={isBusy}>
        Cancel
      </Button>
      <Button
        type={onAction ? 'button' : 'submit'}
        {...(color !== undefined && { color })}
        onClick={onAction}
        loading={isBusy}
        disabled={!isReady}
      >
        {action}
      </Button>
    </Group>
  )
}
