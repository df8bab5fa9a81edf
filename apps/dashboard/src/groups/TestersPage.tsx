import type { Tester } from '@fairlead/contract'
import { Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Search, UserPlus, UserRoundCheck } from 'lucide-react'
import { useState } from 'react'
import { client } from '../api/client.ts'
import { useCan } from '../api/session.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { formatCount } from '../ui/format.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { List } from '../ui/ListRow.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { ShowMore, useParts } from '../ui/ShowMore.tsx'
import { TextFilter } from '../ui/TextFilter.tsx'
import { groupsQuery, testersQuery } from './queries.ts'
import { TesterPageDialog } from './TesterPageDialog.tsx'
import { TesterRow } from './TesterRow.tsx'

const AddToGroupDialog = lazyPart(async () => (await import('./AddToGroupDialog.tsx')).AddToGroupDialog)

const route = getRouteApi('/shell/testers')

export function TestersPage() {
  const { q = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const { data: testers } = useSuspenseQuery(testersQuery)
  const isAdmin = useCan('admin')
  const { data: groups = [] } = useQuery({ ...groupsQuery, enabled: isAdmin })
  const [isAdding, adding] = useDisclosure()
  const [leaving, setLeaving] = useState<Tester | null>(null)
  const [paged, setPaged] = useState<Tester | null>(null)
  const wanted = q.trim().toLowerCase()
  const found = testers.filter(({ email, name, groups }) =>
    [email, name ?? '', ...groups.map((group) => group.name)].some((part) => part.toLowerCase().includes(wanted)),
  )
  const { shown, more } = useParts(found)
  return (
    <>
      <PageHeader title="Testers" description="Everybody in the workspace’s groups. Testers need no account.">
        {isAdmin && groups.length > 0 && (
          <Button leftSection={<UserPlus size={16} />} onClick={adding.open}>
            Add testers
          </Button>
        )}
      </PageHeader>
      {testers.length === 0 ? (
        <EmptyState icon={UserRoundCheck} title="No testers yet">
          <Text c="dimmed">
            Testers are added to <Link to="/groups">groups</Link>.
          </Text>
        </EmptyState>
      ) : (
        <>
          <Group mb="sm">
            <TextFilter
              label="Search testers"
              placeholder="Search by name, address or group"
              icon={<Search size={16} />}
              value={q}
              onChange={(next) => void navigate({ search: { q: next }, replace: true })}
              width="1 1 100%"
            />
          </Group>
          <Text size="sm" c="dimmed" mb="xs" role="status">
            {formatCount(found.length, 'tester')}
          </Text>
          <List label="Testers">
            {shown.map((tester) => (
              <TesterRow
                key={tester.id}
                tester={tester}
                onPage={tester.pageUrl === null ? undefined : () => setPaged(tester)}
                {...(isAdmin && { action: 'Delete', onAction: () => setLeaving(tester) })}
              />
            ))}
          </List>
          <ShowMore {...more} />
        </>
      )}
      {isAdding && <AddToGroupDialog groups={groups} testers={testers} onClose={adding.close} />}
      {paged && <TesterPageDialog tester={paged} onClose={() => setPaged(null)} />}
      {leaving && (
        <ConfirmDialog
          title="Delete the tester"
          action="Delete"
          onConfirm={() => client.testers.remove(leaving.id)}
          onClose={() => setLeaving(null)}
        >
          <b className="break">{leaving.email}</b> leaves every group and gets no more mails.
        </ConfirmDialog>
      )}
    </>
  )
}
