import { Notifications } from '@mantine/notifications'
import '@mantine/notifications/styles.css'

export function NoticeList() {
  return <Notifications position="bottom-center" limit={3} />
}
