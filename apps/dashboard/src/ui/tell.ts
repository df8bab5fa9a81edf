import type { NotificationData } from '@mantine/notifications'

/** Shows a short notice that something was done. */
export function tell(message: string): void {
  void show({ message, color: 'harbor', autoClose: 3000 })
}

/** Shows a notice about a failure that has no form to show it. */
export function tellFailure(error: Error): void {
  void show({ message: error.message, color: 'red', autoClose: 8000 })
}

async function show(notice: NotificationData): Promise<void> {
  const { notifications } = await import('@mantine/notifications')
  notifications.show({ ...notice, withCloseButton: true, closeButtonProps: { 'aria-label': 'Dismiss' } })
}
