import { Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { UserPlus, UsersRound } from 'lucide-react'
import { client, queryClient } from '../api/client.ts'
import { useCan } from '../api/session.ts'
import { Breadcrumb } from '../ui/Breadcrumb.tsx'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { formatCount } from '../ui/format.ts'
import { List } from '../ui/ListRow.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { tell, tellFailure } from '../ui/tell.ts'
import { AddTestersDialog } from './AddTestersDialog.tsx'
import { GroupDialog } from './GroupDialog.tsx'
import { groupQuery, groupsQuery, groupTestersQuery } from './queries.ts'
import { TesterRow } from './TesterRow.tsx'

const route = getRouteApi('/shell/groups/$groupId')

export function GroupPage() {
  const { groupId } = route.useParams()
  const { data: group } = useSuspenseQuery(groupQuery(groupId))
  const { data: testers } = useSuspenseQuery(groupTestersQuery(groupId))
  const isAdmin = useCan('admin')
  const [isAdding, adding] = useDisclosure()
  const [isRenaming, renaming] = useDisclosure()
  const [isDeleting, deleting] = useDisclosure()
  const navigate = useNavigate()
  const takeOut = useMutation({
    mutationFn: (testerId: number) => client.groups.removeTester(groupId, testerId),
    onError: tellFailure,
  })
  const remove = async () => {
    await client.groups.remove(groupId)
    queryClient.removeQueries({ queryKey: groupsQuery.queryKey, exact: true })
    await navigate({ to: '/groups' })
    queryClient.removeQueries({ queryKey: ['groups', groupId] })
    tell(`${group.name} is deleted`)
  }
  const addButton = isAdmin && (
    <Button leftSection={<UserPlus size={16} />} onClick={adding.open}>
      Add testers
    </Button>
  )
  return (
    <>
      <Breadcrumb>
        <Link to="/groups">Groups</Link>
      </Breadcrumb>
      <PageHeader
        title={group.name}
        description={[
          formatCount(group.testerCount, 'tester'),
          `${formatCount(group.buildCount, 'build')} distributed`,
        ].join(' · ')}
      >
        {isAdmin && (
          <Group gap="xs">
            {addButton}
            <Button variant="default" onClick={renaming.open}>
              Rename
            </Button>
            <Button variant="default" onClick={deleting.open}>
              Delete
            </Button>
          </Group>
        )}
      </PageHeader>
      {testers.length === 0 ? (
        <EmptyState icon={UsersRound} title="No testers in this group">
          <Text c="dimmed">
            {isAdmin
              ? 'Paste their mail addresses, in whatever form you have them.'
              : 'An administrator of the workspace can add them.'}
          </Text>
          {addButton}
        </EmptyState>
      ) : (
        <List label="Testers">
          {testers.map((tester) => (
            <TesterRow
              key={tester.id}
              tester={tester}
              hideGroup={groupId}
              {...(isAdmin && { action: 'Take out', onAction: () => takeOut.mutate(tester.id) })}
            />
          ))}
        </List>
      )}
      {isAdding && <AddTestersDialog group={group} testers={testers} onClose={adding.close} />}
      {isRenaming && (
        <GroupDialog
          title="Rename the group"
          action="Rename"
          name={group.name}
          onSave={(name) => client.groups.update(groupId, { name })}
          onClose={renaming.close}
        />
      )}
      {isDeleting && (
        <ConfirmDialog title="Delete the group" action="Delete it" onConfirm={remove} onClose={deleting.close}>
          <b className="break">{group.name}</b> will be gone; its testers and builds stay.
        </ConfirmDialog>
      )}
    </>
  )
}
