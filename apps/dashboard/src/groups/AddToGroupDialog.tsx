import type { DistributionGroup, Tester } from '@fairlead/contract'
import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { lazyDialog } from '../ui/lazy-part.tsx'

// It parses addresses with the schemas of the API, which a script that pages share must not hold.
const AddTestersDialog = lazyDialog(async () => (await import('./AddTestersDialog.tsx')).AddTestersDialog)

interface AddToGroupDialogProps {
  /** At least one. */
  groups: DistributionGroup[]
  testers: Tester[]
  onClose: () => void
}

/** Adds testers to a group that is chosen in the dialog; at first, it is the one with the most testers. */
export function AddToGroupDialog({ groups, testers, onClose }: AddToGroupDialogProps) {
  const [largest] = groups.toSorted((a, b) => b.testerCount - a.testerCount)
  const [groupId, setGroupId] = useState(largest?.id)
  const group = groups.find(({ id }) => id === groupId)
  if (!group) return null
  return (
    <AddTestersDialog
      group={group}
      testers={testers.filter(({ groups: own }) => own.some(({ id }) => id === group.id))}
      onClose={onClose}
    >
      {groups.length > 1 && (
        <NativeSelect
          label="Group"
          data={groups.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={String(group.id)}
          onChange={(event) => setGroupId(Number(event.currentTarget.value))}
        />
      )}
    </AddTestersDialog>
  )
}
