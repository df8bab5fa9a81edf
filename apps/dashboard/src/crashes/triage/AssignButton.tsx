import { Button } from '@mantine/core'
import { ChevronDown } from 'lucide-react'
import { lazy } from 'react'
import { LazyMenu } from '../../ui/LazyMenu.tsx'
import { loadScript } from '../../ui/load-script.ts'

const load = () => loadScript(() => import('./AssignMenu.tsx'))
const AssignMenu = lazy(async () => ({ default: (await load()).AssignMenu }))

/**
 * Opens a menu of the members. It is no select, because the arrow keys change the value of a closed one, which would
 * assign the groups to the first in the list.
 */
export function AssignButton({ onChoose }: { onChoose: (assigneeId: number | null) => void }) {
  return (
    <LazyMenu
      load={load}
      button={(opening) => (
        <Button size="xs" variant="default" rightSection={<ChevronDown size={14} aria-hidden />} {...opening}>
          Assign
        </Button>
      )}
    >
      <AssignMenu onChoose={onChoose} />
    </LazyMenu>
  )
}
