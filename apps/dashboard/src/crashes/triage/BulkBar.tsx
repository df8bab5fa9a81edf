import type { CrashGroup } from '@fairlead/contract'
import { requireAt } from '@fairlead/invariant'
import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { client } from '../../api/client.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { formatCount } from '../../ui/format.ts'
import { tellFailure } from '../../ui/tell.ts'
import { AssignButton } from './AssignButton.tsx'
import classes from './group-list.module.css'
import { type BulkUpdate, toReversals } from './reversals.ts'

/** A change that was made to groups, in words, and the way back. */
export interface Done {
  text: string
  /** Missing where it cannot be taken back. */
  undo?: () => Promise<Done>
}

interface BulkBarProps {
  /** The chosen groups, at least one. */
  groups: readonly CrashGroup[]
  onDone: (done: Done) => void
  onClear: () => void
}

/** The most groups that one request merges. */
const maxMerged = 100

/** Changes the chosen groups together. */
export function BulkBar({ groups, onDone, onClear }: BulkBarProps) {
  const [isMerging, merging] = useDisclosure()
  const { applicationId } = requireAt(groups, 0)
  const { mutate, isPending } = useMutation({
    mutationFn: async ({ update, name }: { update: BulkUpdate; name: string }): Promise<Done> => {
      await client.crashes.updateGroups(applicationId, { ...update, groupIds: groups.map(({ id }) => id) })
      const reversals = toReversals(groups, update)
      const undo = async () => {
        for (const reversal of reversals) await client.crashes.updateGroups(applicationId, reversal)
        return { text: `${formatCount(groups.length, 'group')} as before` }
      }
      const text = `${formatCount(groups.length, 'group')} ${name}`
      return { text, ...(reversals.length > 0 && { undo }) }
    },
    onSuccess: onDone,
    onError: tellFailure,
  })
  /** `name` says what then was done with the groups. */
  const change = (update: BulkUpdate, name: string) => {
    if (!isPending) mutate({ update, name })
  }
  const has = (status: CrashGroup['status']) => groups.some((group) => group.status === status)
  const into = groups.toSorted((one, other) => other.crashCount - one.crashCount)[0]
  return (
    <div className={classes['toolbar']} role="toolbar" aria-label="Chosen groups" aria-busy={isPending}>
      {(has('open') || has('ignored')) && (
        <Button size="xs" onClick={() => change({ status: 'resolved' }, 'resolved')}>
          Resolve
        </Button>
      )}
      {has('open') && (
        <Button size="xs" variant="default" onClick={() => change({ status: 'ignored' }, 'ignored')}>
          Ignore
        </Button>
      )}
      {(has('resolved') || has('ignored')) && (
        <Button size="xs" variant="default" onClick={() => change({ status: 'open' }, 'opened again')}>
          Open again
        </Button>
      )}
      <AssignButton
        text="Assign"
        size="xs"
        onChoose={(assigneeId) => change({ assigneeId }, assigneeId === null ? 'assigned to nobody' : 'assigned')}
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
            onDone({ text: `${formatCount(groups.length, 'group')} merged` })
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
