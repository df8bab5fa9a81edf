import type { Tester } from '@fairlead/contract'
import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { UserPlus, UserRoundCheck } from 'lucide-react'
import { useState } from 'react'
import { client } from '../api/client.ts'
import { useCan } from '../api/session.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { lazyDialog } from '../ui/lazy-part.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { groupsQuery, testersQuery } from './queries.ts'
import { TesterList } from './TesterList.tsx'
import { TesterPageDialog } from './TesterPageDialog.tsx'
import { TesterRow } from './TesterRow.tsx'

const AddToGroupDialog = lazyDialog(async () => (await import('./AddToGroupDialog.tsx')).AddToGroupDialog)

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
        <TesterList testers={testers} q={q} onSearch={(next) => void navigate({ search: { q: next }, replace: true })}>
          {(tester) => (
            <TesterRow
              key={tester.id}
              tester={tester}
              onPage={tester.pageUrl === null ? undefined : () => setPaged(tester)}
              {...(isAdmin && { action: 'Delete', onAction: () => setLeaving(tester) })}
            />
          )}
        </TesterList>
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
