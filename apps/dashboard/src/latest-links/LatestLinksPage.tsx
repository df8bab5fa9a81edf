import type { LatestLink } from '@fairlead/contract'
import { Button, Group, Text } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Link2, Plus } from 'lucide-react'
import { useState } from 'react'
import { client } from '../api/client.ts'
import { useCan } from '../api/session.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { lazyDialog } from '../ui/lazy-part.tsx'
import { Panel } from '../ui/Panel.tsx'
import { LatestLinkCard } from './LatestLinkCard.tsx'
import { latestLinksQuery } from './queries.ts'

// The fields of the dialog are not needed to read the list.
const LatestLinkDialog = lazyDialog(async () => (await import('./LatestLinkDialog.tsx')).LatestLinkDialog)

const route = getRouteApi('/shell/applications/$applicationId')

/** The question about a link that a dialog asks. */
type Question = { kind: 'change' | 'renew' | 'delete'; link: LatestLink } | { kind: 'create' }

/** Lists the addresses that always show the newest build of the application. */
export function LatestLinksPage() {
  const { applicationId } = route.useParams()
  const { data: links } = useSuspenseQuery(latestLinksQuery(applicationId))
  const [question, setQuestion] = useState<Question | null>(null)
  const mayChange = useCan('developer')
  const close = () => setQuestion(null)
  const createButton = mayChange && (
    <Button leftSection={<Plus size={16} />} onClick={() => setQuestion({ kind: 'create' })}>
      New latest link
    </Button>
  )
  return (
    <>
      <Panel title="Latest links" actions={links.length > 0 && createButton}>
        {links.length === 0 ? (
          <EmptyState icon={Link2} title="No latest links">
            <Text c="dimmed">One address for the wiki, the README or the wall. It always shows the newest build.</Text>
            {createButton}
          </EmptyState>
        ) : (
          links.map((link) => (
            <LatestLinkCard key={link.id} link={link}>
              {mayChange && (
                <Group gap="xs">
                  <Button size="compact-sm" variant="default" onClick={() => setQuestion({ kind: 'change', link })}>
                    Change {link.name}
                  </Button>
                  <Button size="compact-sm" variant="default" onClick={() => setQuestion({ kind: 'renew', link })}>
                    New address
                  </Button>
                  <Button size="compact-sm" variant="default" onClick={() => setQuestion({ kind: 'delete', link })}>
                    Delete
                  </Button>
                </Group>
              )}
            </LatestLinkCard>
          ))
        )}
      </Panel>
      {question?.kind === 'create' && <LatestLinkDialog applicationId={applicationId} onClose={close} />}
      {question?.kind === 'change' && (
        <LatestLinkDialog applicationId={applicationId} link={question.link} onClose={close} />
      )}
      {question?.kind === 'renew' && (
        <ConfirmDialog
          title="Give the link a new address"
          action="End the old address"
          onConfirm={() => client.latestLinks.renew(question.link.id)}
          onClose={close}
        >
          The address of <b className="break">{question.link.name}</b> stops working, and so do QR codes and badges with
          it and downloads that it allowed.
        </ConfirmDialog>
      )}
      {question?.kind === 'delete' && (
        <ConfirmDialog
          title="Delete the link"
          action="Delete it"
          onConfirm={() => client.latestLinks.remove(question.link.id)}
          onClose={close}
        >
          The address of <b className="break">{question.link.name}</b> stops working, and so do downloads that it
          allowed. The builds stay.
        </ConfirmDialog>
      )}
    </>
  )
}
