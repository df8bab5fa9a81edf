import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { tellFailure } from '../ui/tell.ts'
import { exportDevices } from './export-devices.ts'
import type { DevicesSearch } from './queries.ts'

interface ExportButtonProps {
  label: string
  search: DevicesSearch
  size?: string
}

/** Saves the list that Apple takes under "Register Multiple Devices". */
export function ExportButton({ label, search, size }: ExportButtonProps) {
  const save = useMutation({ mutationFn: () => exportDevices(search), onError: tellFailure })
  return (
    <Button
      variant="default"
      leftSection={<Download size={16} />}
      loading={save.isPending}
      onClick={() => save.mutate()}
      {...(size !== undefined && { size })}
    >
      {label}
    </Button>
  )
}
