import { notifications } from '@mantine/notifications'

const closable = { withCloseButton: true, closeButtonProps: { 'aria-label': 'Dismiss' } }

/** Says for a moment that something was done. */
export function tell(message: string): void {
  notifications.show({ message, color: 'harbor', autoClose: 3000, ...closable })
}

/** Says that something outside a form failed. */
export function tellFailure(error: Error): void {
  notifications.show({ message: error.message, color: 'red', autoClose: 8000, ...closable })
}
