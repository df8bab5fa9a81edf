import type { CrashGroup, UpdateCrashGroup } from '@fairlead/contract'
import { Button, Group, NativeSelect } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { client } from '../api/client.ts'
import { membersQuery } from '../members/queries.ts'
import { tell, tellFailure } from '../ui/tell.ts'
import { IgnoreDialog } from './IgnoreDialog.tsx'
import { MergeDialog } from './MergeDialog.tsx'
import { ResolveDialog } from './ResolveDialog.tsx'

/** Changes the status and the assignee of a group, and merges others into it. */
export function GroupControls({ group }: { group: CrashGroup }) {
  const [isResolving, resolution] = useDisclosure()
  const [isIgnoring, ignoring] = useDisclosure()
  const [isMerging, merging] = useDisclosure()
  const { mutate, isPending } = useMutation({
    mutationFn: (update: UpdateCrashGroup) => client.crashes.updateGroup(group.id, update),
    onSuccess: ({ status }) => tell(`The group is ${status}`),
    onError: tellFailure,
  })
  return (
    <Group gap="xs" align="flex-end">
      {group.status !== 'resolved' && <Button onClick={resolution.open}>Resolve</Button>}
      {group.status === 'open' && (
        <Button variant="default" onClick={ignoring.open}>
          Ignore
        </Button>
      )}
      {group.status !== 'open' && (
        <Button variant="default" loading={isPending} onClick={() => mutate({ status: 'open' })}>
          Open again
        </Button>
      )}
      <Button variant="default" onClick={merging.open}>
        Merge others into it
      </Button>
      <Assignee group={group} />
      {isResolving && <ResolveDialog group={group} onClose={resolution.close} />}
      {isIgnoring && <IgnoreDialog group={group} onClose={ignoring.close} />}
      {isMerging && <MergeDialog group={group} onClose={merging.close} />}
    </Group>
  )
}

function Assignee({ group }: { group: CrashGroup }) {
  const { data: members = [] } = useQuery(membersQuery)
  const assign = useMutation({
    mutationFn: (assigneeId: number | null) => client.crashes.updateGroup(group.id, { assigneeId }),
    onSuccess: ({ assignee }) => tell(assignee ? `${assignee.name} is the assignee` : 'Nobody is the assignee'),
    onError: tellFailure,
  })
  // A former member stays the assignee until somebody chooses another.
  const { assignee } = group
  const former = assignee && members.every(({ accountId }) => accountId !== assignee.id) ? [assignee] : []
  const people = [...members.map(({ accountId: id, name, email }) => ({ id, name, email })), ...former]
  return (
    <NativeSelect
      aria-label="Assignee"
      disabled={assign.isPending}
      value={String(assignee?.id ?? '')}
      onChange={({ currentTarget: { value } }) => assign.mutate(value === '' ? null : Number(value))}
      data={[
        { value: '', label: 'Nobody is assigned' },
        ...people.map(({ id, name, email }) => ({ value: String(id), label: name === '' ? email : name })),
      ]}
    />
  )
}
