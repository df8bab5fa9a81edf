import type { CrashGroup } from '@fairlead/contract'
import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { client } from '../../api/client.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { formatCount } from '../../ui/format.ts'
import { AssignButton } from './AssignButton.tsx'
import classes from './group-list.module.css'
import type { BulkUpdate } from './reversals.ts'

interface BulkBarProps {
  /** The chosen groups, at least one. */
  groups: readonly CrashGroup[]
  isBusy: boolean
  /** `done` says what then was done with them. */
  onChange: (update: BulkUpdate, done: string) => void
  onMerged: (text: string) => void
  onClear: () => void
}

/** The most groups that one request merges. */
const maxMerged = 100

/** Changes the chosen groups together. */
export function BulkBar({ groups, isBusy, onChange, onMerged, onClear }: BulkBarProps) {
  const [isMerging, merging] = useDisclosure()
  const has = (status: CrashGroup['status']) => groups.some((group) => group.status === status)
  const into = groups.toSorted((one, other) => other.crashCount - one.crashCount)[0]
  return (
    <div className={classes['toolbar']} role="toolbar" aria-label="Chosen groups" aria-busy={isBusy}>
      {(has('open') || has('ignored')) && (
        <Button size="xs" onClick={() => onChange({ status: 'resolved' }, 'resolved')}>
          Resolve
        </Button>
      )}
      {has('open') && (
        <Button size="xs" variant="default" onClick={() => onChange({ status: 'ignored' }, 'ignored')}>
          Ignore
        </Button>
      )}
      {(has('resolved') || has('ignored')) && (
        <Button size="xs" variant="default" onClick={() => onChange({ status: 'open' }, 'opened again')}>
          Open again
        </Button>
      )}
      <AssignButton
        onChoose={(assigneeId) => onChange({ assigneeId }, assigneeId === null ? 'assigned to nobody' : 'assigned')}
      />
      {groups.length > 1 && groups.length <= maxMerged && (
        <Button size="xs" variant="default" onClick={merging.open}>
          Merge
        </Button>
      )}
      <Button size="xs" variant="subtle" onClick={onClear}>
        Clear
      </Button>
      {isMerging && into && (
        <ConfirmDialog
          title={`Merge ${formatCount(groups.length, 'group')}`}
          action="Merge them"
          onConfirm={async () => {
            const others = groups.filter(({ id }) => id !== into.id).map(({ id }) => id)
            await client.crashes.mergeGroups(into.id, others)
            onMerged(`${formatCount(groups.length, 'group')} merged`)
          }}
          onClose={merging.close}
        >
          Their crashes, and later ones like them, join “{into.title}”, which has the most. Stacks can be split off
          again on its page.
        </ConfirmDialog>
      )}
    </div>
  )
}
