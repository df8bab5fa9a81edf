import { Alert } from '@mantine/core'
import { CloudOff } from 'lucide-react'
import { useIsOnline } from '../ui/use-is-online.ts'

/** Says above every page that what it shows may be old, while there is no connection. */
export function OfflineNote() {
  const isOnline = useIsOnline()
  return (
    <div role="status">
      {!isOnline && (
        <Alert icon={<CloudOff size={18} />} color="gray" mb="md">
          You are offline. Only what was loaded before can be shown.
        </Alert>
      )}
    </div>
  )
}
