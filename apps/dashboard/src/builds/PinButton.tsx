import type { Build } from '@fairlead/contract'
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Pin, PinOff } from 'lucide-react'
import { client } from '../api/client.ts'

/** Keeps a build from every retention rule, or lets it go again. */
export function PinButton({ build: { id, isPinned } }: { build: Build }) {
  const change = useMutation({
    mutationFn: () => (isPinned ? client.retention.unpin(id) : client.retention.pin(id)),
  })
  const Icon = isPinned ? PinOff : Pin
  return (
    <Button
      variant="default"
      leftSection={<Icon size={16} />}
      loading={change.isPending}
      title={isPinned ? 'Let retention rules remove it again' : 'No retention rule removes a pinned build'}
      onClick={() => change.mutate()}
    >
      {isPinned ? 'Unpin' : 'Pin'}
    </Button>
  )
}
