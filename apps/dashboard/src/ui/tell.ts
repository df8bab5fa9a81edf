import { notifications } from '@mantine/notifications'

const closable = { withCloseButton: true, closeButtonProps: { 'aria-label': 'Dismiss' } }

/** Shows a short confirmation. */
export function tell(message: string): void {
  notifications.show({ message, color: 'harbor', autoClose: 3000, ...closable })
}

/** Shows a failure that happened outside a form. */
export function tellFailure(error: Error): void {
  notifications.show({ message: error.message, color: 'red', autoClose: 8000, ...closable })
}
