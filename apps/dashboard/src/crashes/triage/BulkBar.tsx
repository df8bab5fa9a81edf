import type { CrashGroup, UpdateCrashGroups } from '@fairlead/contract'
import { requireAt } from '@fairlead/invariant'
import { Button, Group, NativeSelect, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { client } from '../api/client.ts'
import { membersQuery } from '../members/queries.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { formatCount } from '../ui/format.ts'
import { tell, tellFailure } from '../ui/tell.ts'

interface BulkBarProps {
  /** The chosen groups, at least one. */
  groups: readonly CrashGroup[]
  onDone: () => void
}

/** The most groups that one request merges. */
const maxMerged = 100

/** Changes the chosen groups together. */
export function BulkBar({ groups, onDone }: BulkBarProps) {
  const { data: members = [] } = useQuery(membersQuery)
  const [isMerging, merging] = useDisclosure()
  const change = useMutation({
    mutationFn: ({ update }: { update: Omit<UpdateCrashGroups, 'groupIds' | 'filter'>; done: string }) => {
      const applicationId = requireAt(groups, 0).applicationId
      return client.crashes.updateGroups(applicationId, { ...update, groupIds: groups.map(({ id }) => id) })
    },
    onSuccess: (_answer, { done }) => {
      tell(`${formatCount(groups.length, 'group')} ${done}`)
      onDone()
    },
    onError: tellFailure,
  })
  const has = (status: CrashGroup['status']) => groups.some((group) => group.status === status)
  const into = groups.toSorted((one, other) => other.crashCount - one.crashCount)[0]
  return (
    <Group gap="xs" role="toolbar" aria-label="Chosen groups">
      <Text size="sm" fw={580} role="status">
        {formatCount(groups.length, 'group')} chosen
      </Text>
      {(has('open') || has('ignored')) && (
        <Button
          size="xs"
          loading={change.isPending}
          onClick={() => change.mutate({ update: { status: 'resolved' }, done: 'resolved' })}
        >
          Resolve
        </Button>
      )}
      {has('open') && (
        <Button
          size="xs"
          variant="default"
          disabled={change.isPending}
          onClick={() => change.mutate({ update: { status: 'ignored' }, done: 'ignored' })}
        >
          Ignore
        </Button>
      )}
      {(has('resolved') || has('ignored')) && (
        <Button
          size="xs"
          variant="default"
          disabled={change.isPending}
          onClick={() => change.mutate({ update: { status: 'open' }, done: 'opened again' })}
        >
          Open again
        </Button>
      )}
      <NativeSelect
        size="xs"
        aria-label="Assign the chosen groups"
        disabled={change.isPending}
        value=""
        onChange={({ currentTarget: { value } }) =>
          change.mutate({ update: { assigneeId: value === 'none' ? null : Number(value) }, done: 'assigned' })
        }
        data={[
          { value: '', label: 'Assign to …', disabled: true },
          { value: 'none', label: 'Nobody' },
          ...members.map(({ accountId, name, email }) => ({
            value: String(accountId),
            label: name === '' ? email : name,
          })),
        ]}
      />
      {groups.length > 1 && groups.length <= maxMerged && (
        <Button size="xs" variant="default" disabled={change.isPending} onClick={merging.open}>
          Merge
        </Button>
      )}
      <Button size="xs" variant="subtle" onClick={onDone}>
        Clear
      </Button>
      {isMerging && into && (
        <ConfirmDialog
          title={`Merge ${formatCount(groups.length, 'group')}`}
          action="Merge them"
          onConfirm={async () => {
            const others = groups.filter(({ id }) => id !== into.id).map(({ id }) => id)
            await client.crashes.mergeGroups(into.id, others)
            tell(`${formatCount(groups.length, 'group')} merged`)
          }}
          onClose={() => {
            merging.close()
            onDone()
          }}
        >
          Their crashes, and later ones like them, join “{into.title}”, which has the most. Stacks can be split off
          again on its page.
        </ConfirmDialog>
      )}
    </Group>
  )
}
