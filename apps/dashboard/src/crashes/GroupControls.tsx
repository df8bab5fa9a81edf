import type { CrashGroup, UpdateCrashGroup } from '@fairlead/contract'
import { Button, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { client } from '../api/client.ts'
import { tell, tellFailure } from '../ui/tell.ts'
import { IgnoreDialog } from './IgnoreDialog.tsx'
import { MergeDialog } from './MergeDialog.tsx'
import { ResolveDialog } from './ResolveDialog.tsx'
import { AssignButton } from './triage/AssignButton.tsx'

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

function Assignee({ group: { id, assignee } }: { group: CrashGroup }) {
  const { mutate, isPending } = useMutation({
    mutationFn: (assigneeId: number | null) => client.crashes.updateGroup(id, { assigneeId }),
    onSuccess: ({ assignee: chosen }) => tell(chosen ? `${toName(chosen)} is the assignee` : 'Nobody is the assignee'),
    onError: tellFailure,
  })
  return (
    <AssignButton
      text={`Assignee: ${assignee ? toName(assignee) : 'nobody'}`}
      assigneeId={assignee?.id ?? null}
      onChoose={(assigneeId) => {
        if (!isPending) mutate(assigneeId)
      }}
    />
  )
}

function toName({ name, email }: NonNullable<CrashGroup['assignee']>): string {
  return name === '' ? email : name
}
