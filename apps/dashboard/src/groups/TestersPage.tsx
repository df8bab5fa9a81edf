import type { Tester } from '@fairlead/contract'
import { Text, TextInput } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Search, UserRoundCheck } from 'lucide-react'
import { useState } from 'react'
import { client } from '../api/client.ts'
import { useCan } from '../api/session.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { formatCount } from '../ui/format.ts'
import { List } from '../ui/ListRow.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { testersQuery } from './queries.ts'
import { TesterRow } from './TesterRow.tsx'

/** The page shows this many rows, because nobody reads more; the search finds the others. */
const shownAtMost = 200

export function TestersPage() {
  const { data: testers } = useSuspenseQuery(testersQuery)
  const isAdmin = useCan('admin')
  const [text, setText] = useState('')
  const [leaving, setLeaving] = useState<Tester | null>(null)
  const wanted = text.trim().toLowerCase()
  const found = testers.filter(({ email, name, groups }) =>
    [email, name ?? '', ...groups.map((group) => group.name)].some((part) => part.toLowerCase().includes(wanted)),
  )
  return (
    <>
      <PageHeader title="Testers" description="Everybody in the workspace’s groups. Testers need no account." />
      {testers.length === 0 ? (
        <EmptyState icon={UserRoundCheck} title="No testers yet">
          <Text c="dimmed">
            Testers are added to <Link to="/groups">groups</Link>.
          </Text>
        </EmptyState>
      ) : (
        <>
          <TextInput
            mb="sm"
            aria-label="Search testers"
            placeholder="Search by name, address or group"
            leftSection={<Search size={16} />}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Text size="sm" c="dimmed" mb="xs" role="status">
            {formatCount(found.length, 'tester')}
            {found.length > shownAtMost && `, of which the first ${shownAtMost} are shown`}
          </Text>
          <List label="Testers">
            {found.slice(0, shownAtMost).map((tester) => (
              <TesterRow
                key={tester.id}
                tester={tester}
                {...(isAdmin && { action: 'Delete', onAction: () => setLeaving(tester) })}
              />
            ))}
          </List>
        </>
      )}
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
