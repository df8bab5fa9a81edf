import type { Tester } from '@fairlead/contract'
import { Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { UserPlus, UsersRound } from 'lucide-react'
import { useState } from 'react'
import { client, queryClient } from '../api/client.ts'
import { useCan } from '../api/session.ts'
import { Breadcrumb } from '../ui/Breadcrumb.tsx'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { formatCount } from '../ui/format.ts'
import { PageHeader } from '../ui/PageHeader.tsx'
import { tell } from '../ui/tell.ts'
import { NameDialog } from '../ui/NameDialog.tsx'
import { groupQuery, groupsQuery, groupTestersQuery } from './queries.ts'
import { TesterList } from './TesterList.tsx'
import { TesterRow } from './TesterRow.tsx'
import { lazyDialog } from '../ui/lazy-part.tsx'

const AddTestersDialog = lazyDialog(async () => (await import('./AddTestersDialog.tsx')).AddTestersDialog)

const route = getRouteApi('/shell/groups/$groupId')

export function GroupPage() {
  const { groupId } = route.useParams()
  const { q = '' } = route.useSearch()
  const { data: group } = useSuspenseQuery(groupQuery(groupId))
  const { data: testers } = useSuspenseQuery(groupTestersQuery(groupId))
  const isAdmin = useCan('admin')
  const [isAdding, adding] = useDisclosure()
  const [isRenaming, renaming] = useDisclosure()
  const [isDeleting, deleting] = useDisclosure()
  const navigate = route.useNavigate()
  const [leaving, setLeaving] = useState<Tester | null>(null)
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
            {isAdmin ? 'Paste their mail addresses, in any format.' : 'An administrator of the workspace can add them.'}
          </Text>
          {addButton}
        </EmptyState>
      ) : (
        <TesterList testers={testers} q={q} onSearch={(next) => void navigate({ search: { q: next }, replace: true })}>
          {(tester) => (
            <TesterRow
              key={tester.id}
              tester={tester}
              hideGroup={groupId}
              {...(isAdmin && { action: 'Remove', onAction: () => setLeaving(tester) })}
            />
          )}
        </TesterList>
      )}
      {isAdding && <AddTestersDialog group={group} testers={testers} onClose={adding.close} />}
      {isRenaming && (
        <NameDialog
          title="Rename the group"
          action="Rename"
          name={group.name}
          onSave={(name) => client.groups.update(groupId, { name })}
          onClose={renaming.close}
        />
      )}
      {leaving && (
        <ConfirmDialog
          title="Remove the tester from the group"
          action="Remove"
          onConfirm={() => client.groups.removeTester(groupId, leaving.id)}
          onClose={() => setLeaving(null)}
        >
          <b className="break">{leaving.email}</b> will not be told about the next builds for {group.name}.
        </ConfirmDialog>
      )}
      {isDeleting && (
        <ConfirmDialog title="Delete the group" action="Delete it" onConfirm={remove} onClose={deleting.close}>
          <b className="break">{group.name}</b> will be deleted; its testers and builds stay.
        </ConfirmDialog>
      )}
    </>
  )
}
