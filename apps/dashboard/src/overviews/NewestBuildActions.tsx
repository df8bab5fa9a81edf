import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { useCan } from '../api/session.ts'
import { buildQuery } from '../builds/queries.ts'
import { lazyDialog } from '../ui/lazy-part.tsx'

const DistributeDialog = lazyDialog(async () => (await import('../builds/DistributeDialog.tsx')).DistributeDialog)

interface NewestBuildActionsProps {
  buildId: number
  isExpired: boolean
}

/** Writes the notes of the newest build and distributes it, without leaving the overview. */
export function NewestBuildActions({ buildId, isExpired }: NewestBuildActionsProps) {
  const canWrite = useCan('developer')
  const [isOpen, dialog] = useDisclosure()
  const { data: build } = useQuery({ ...buildQuery(buildId), enabled: isOpen })
  if (!canWrite) return null
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<Send size={14} />}
        onClick={dialog.open}
        disabled={isExpired}
        {...(isExpired && { title: 'The install link has expired: upload the build again' })}
      >
        Notes and groups
      </Button>
      {isOpen && build && <DistributeDialog builds={[build]} onClose={dialog.close} />}
    </>
  )
}
