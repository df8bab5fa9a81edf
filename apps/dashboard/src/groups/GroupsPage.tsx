import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Plus, UsersRound } from 'lucide-react'
import { client } from '../api/client.ts'
import { useCan } from '../api/session.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { formatCount } from '../ui/format.ts'
import { List, ListRow, rowLink } from '../ui/ListRow.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { When } from '../ui/When.tsx'
import { NameDialog } from '../ui/NameDialog.tsx'
import { groupsQuery } from './queries.ts'

export function GroupsPage() {
  const { data: groups } = useSuspenseQuery(groupsQuery)
  const isAdmin = useCan('admin')
  const [isCreating, dialog] = useDisclosure()
  const navigate = useNavigate()
  const createButton = isAdmin && (
    <Button leftSection={<Plus size={16} />} onClick={dialog.open}>
      New group
    </Button>
  )
  return (
    <>
      <PageHeader title="Groups" description="Groups of testers who get the same builds.">
        {groups.length > 0 && createButton}
      </PageHeader>
      {groups.length === 0 ? (
        <EmptyState icon={UsersRound} title="No groups yet">
          <Text c="dimmed">
            {isAdmin
              ? 'Create a group such as “Beta”, paste the mail addresses of its testers, and distribute builds to it.'
              : 'An administrator of the workspace can create one.'}
          </Text>
          {createButton}
        </EmptyState>
      ) : (
        <List label="Groups">
          {groups.map(({ id, name, testerCount, buildCount, createdDate }) => (
            <ListRow
              key={id}
              title={
                <Link to="/groups/$groupId" params={{ groupId: id }} className={rowLink}>
                  {name}
                </Link>
              }
              sub={`${formatCount(testerCount, 'tester')} · ${formatCount(buildCount, 'build')}`}
              side={
                <>
                  Created <When date={createdDate} />
                </>
              }
            />
          ))}
        </List>
      )}
      {isCreating && (
        <NameDialog
          title="New group"
          action="Create"
          onSave={async (name) => {
            const { id } = await client.groups.create({ name })
            await navigate({ to: '/groups/$groupId', params: { groupId: id } })
          }}
          onClose={dialog.close}
        />
      )}
    </>
  )
}
