import type { Platform } from '@fairlead/contract'
import { Badge } from '@mantine/core'
import { platformNames } from './platform-names.ts'

export function PlatformBadge({ platform }: { platform: Platform }) {
  return (
    <Badge color={platform === 'android' ? 'harbor' : 'violet'} variant="light">
      {platformNames[platform]}
    </Badge>
  )
}
