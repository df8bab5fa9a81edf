import type { NotificationData } from '@mantine/notifications'

/** Says for a moment that something was done. */
export function tell(message: string): void {
  void show({ message, color: 'harbor', autoClose: 3000 })
}

/** Says that something outside a form failed. */
export function tellFailure(error: Error): void {
  void show({ message: error.message, color: 'red', autoClose: 8000 })
}

async function show(notice: NotificationData): Promise<void> {
  const { notifications } = await import('@mantine/notifications')
  notifications.show({ ...notice, withCloseButton: true, closeButtonProps: { 'aria-label': 'Dismiss' } })
}
