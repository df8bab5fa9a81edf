import type { CrashGroup } from '@fairlead/contract'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../api/client.ts'
import { formatCount } from '../../ui/format.ts'
import { tellFailure } from '../../ui/tell.ts'
import { type BulkUpdate, toReversals } from './reversals.ts'

interface Change {
  groups: readonly CrashGroup[]
  update: BulkUpdate
  /** What was done with the groups, such as "resolved". */
  done: string
}

/** What was done with groups, and how to take it back. */
interface Done {
  text: string
  /** Missing where it cannot be taken back. */
  undo?: () => void
}

/** Changes several groups together, and takes that back. */
export function useBulkChange(applicationId: number) {
  const [done, setDone] = useState<Done | null>(null)
  const { mutate: undo } = useMutation({
    mutationFn: async ({ groups, update }: Change) => {
      for (const reversal of toReversals(groups, update)) await client.crashes.updateGroups(applicationId, reversal)
    },
    onSuccess: (_answer, { groups }) => setDone({ text: `${formatCount(groups.length, 'group')} as before` }),
    onError: tellFailure,
  })
  const { mutate, isPending } = useMutation({
    mutationFn: ({ groups, update }: Change) =>
      client.crashes.updateGroups(applicationId, { ...update, groupIds: groups.map(({ id }) => id) }),
    onSuccess: (_answer, change) => {
      const text = `${formatCount(change.groups.length, 'group')} ${change.done}`
      const canUndo = toReversals(change.groups, change.update).length > 0
      setDone({ text, ...(canUndo && { undo: () => undo(change) }) })
    },
    onError: tellFailure,
  })
  return { done, setDone, isPending, mutate }
}
