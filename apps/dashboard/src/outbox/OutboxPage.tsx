import type { Mail } from '@fairlead/contract'
import { Badge, Button, Group, Text } from '@mantine/core'
import { useMutation, useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { Inbox } from 'lucide-react'
import { useState } from 'react'
import { client } from '../api/client.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { List, ListRow } from '../ui/ListRow.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { tell, tellFailure } from '../ui/tell.ts'
import { When } from '../ui/When.tsx'
import { HeldMails } from './HeldMails.tsx'
import { MailDialog } from './MailDialog.tsx'
import { mailsQuery } from './queries.ts'

const statuses: Record<Mail['status'], { label: string; color: string }> = {
  waiting: { label: 'Waiting', color: 'gray' },
  sent: { label: 'Sent', color: 'green' },
  failed: { label: 'Failed', color: 'red' },
}

export function OutboxPage() {
  const mails = useSuspenseInfiniteQuery(mailsQuery)
  const [openId, setOpenId] = useState<number | null>(null)
  const shown = mails.data.pages.flatMap((page) => page.items)
  return (
    <>
      <PageHeader title="Outbox" description="Every mail of the workspace, and whether it was sent." />
      <HeldMails />
      {shown.length === 0 ? (
        <EmptyState icon={Inbox} title="No mails yet">
          <Text c="dimmed">Mails to testers and invitations show up here.</Text>
        </EmptyState>
      ) : (
        <List label="Mails">
          {shown.map((mail) => (
            <MailRow key={mail.id} mail={mail} onOpen={() => setOpenId(mail.id)} />
          ))}
        </List>
      )}
      {mails.hasNextPage && (
        <Group justify="center" mt="md">
          <Button variant="default" loading={mails.isFetchingNextPage} onClick={() => void mails.fetchNextPage()}>
            Show more
          </Button>
        </Group>
      )}
      {openId !== null && <MailDialog id={openId} onClose={() => setOpenId(null)} />}
    </>
  )
}

function MailRow({ mail, onOpen }: { mail: Mail; onOpen: () => void }) {
  const { id, recipient, subject, status, error, createdDate, sentDate } = mail
  const retry = useMutation({
    mutationFn: () => client.mails.retry(id),
    onSuccess: () => tell('The mail will be sent again'),
    onError: tellFailure,
  })
  return (
    <ListRow
      title={
        <Group gap={8}>
          {subject}
          <Badge color={statuses[status].color}>{statuses[status].label}</Badge>
        </Group>
      }
      sub={
        <>
          To {recipient}
          {error !== null && (
            <Text size="sm" c="var(--danger)" className="break">
              {error}
            </Text>
          )}
        </>
      }
      side={<When date={sentDate ?? createdDate} />}
      actions={
        <>
          {status === 'failed' && (
            <Button size="compact-sm" variant="default" loading={retry.isPending} onClick={() => retry.mutate()}>
              Try again
            </Button>
          )}
          <Button size="compact-sm" variant="default" onClick={onOpen} aria-label={`Read ${subject} to ${recipient}`}>
            Read
          </Button>
        </>
      }
    />
  )
}
