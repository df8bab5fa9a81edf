import type { AuditEvent } from '@fairlead/contract'
import { Badge, Button, Group, NativeSelect, Text } from '@mantine/core'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Download, ScrollText } from 'lucide-react'
import { useState } from 'react'
import { client } from '../api/client.ts'
import { DayList, TimeOfDay } from '../ui/DayList.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { ListRow } from '../ui/ListRow.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { RoutePending } from '../ui/RoutePending.tsx'
import { saveFile } from '../ui/save-file.ts'
import { tellFailure } from '../ui/tell.ts'
import { auditEventsQuery } from './queries.ts'
import { describeAction, listFacts } from './describe-event.ts'
import { auditResources } from './resources.ts'
import { SubjectLink } from './SubjectLink.tsx'

export function AuditPage() {
  const [resource, setResource] = useState('')
  const events = useInfiniteQuery(auditEventsQuery(resource === '' ? undefined : resource))
  const exporting = useMutation({
    // A plain link cannot send a header, and the header names the workspace.
    mutationFn: async () => {
      const log = await client.security.exportAuditEvents(resource === '' ? {} : { action: resource })
      saveFile(log, 'audit-log.jsonl')
    },
    onError: tellFailure,
  })
  const shown = events.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <>
      <PageHeader title="Audit log" description="Who did what in the workspace, and from where. Kept for a year.">
        <Button
          variant="default"
          leftSection={<Download size={16} />}
          loading={exporting.isPending}
          onClick={() => exporting.mutate()}
        >
          Export as JSON lines
        </Button>
      </PageHeader>
      <NativeSelect
        aria-label="Show"
        data={[{ value: '', label: 'Everything' }, ...auditResources]}
        value={resource}
        onChange={(event) => setResource(event.currentTarget.value)}
        maw="18rem"
        mb="md"
      />
      <ErrorNotice error={events.error} />
      {events.isPending && <RoutePending />}
      {events.isSuccess && shown.length === 0 && (
        <EmptyState icon={ScrollText} title="Nothing was recorded">
          <Text c="dimmed">Sign-ins, uploads, distributions and changes show up here.</Text>
        </EmptyState>
      )}
      {shown.length > 0 && (
        <DayList label="Audit log" items={shown} dateOf={({ createdDate }) => createdDate} headingOrder={2}>
          {(event) => <EventRow key={event.id} event={event} />}
        </DayList>
      )}
      {events.hasNextPage && (
        <Group justify="center" mt="md">
          <Button variant="default" loading={events.isFetchingNextPage} onClick={() => void events.fetchNextPage()}>
            Show more
          </Button>
        </Group>
      )}
    </>
  )
}

function EventRow({ event }: { event: AuditEvent }) {
  const { action, actor, address, target, createdDate } = event
  const facts = listFacts(event)
  return (
    <ListRow
      icon={<TimeOfDay date={createdDate} />}
      title={
        <Group gap="0 8">
          <bdi>{actor.name}</bdi>
          {actor.kind === 'token' && <Badge color="gray">API token</Badge>}
          <Text span size="sm">
            {describeAction(action)}
          </Text>
          <Text span size="sm" className="break">
            <SubjectLink event={event} />
          </Text>
        </Group>
      }
      sub={
        <>
          <code>{action}</code> · {target}
          {address !== null && ` · ${address}`}
          {facts.length > 0 && (
            <>
              {' · '}
              <bdi>{facts.join(' · ')}</bdi>
            </>
          )}
        </>
      }
    />
  )
}
