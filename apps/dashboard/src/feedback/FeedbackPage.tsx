import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { MessageSquare } from 'lucide-react'
import type { FeedbackSearch } from '../early/requests.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { FeedbackCard } from './FeedbackCard.tsx'
import { feedbackQuery } from './queries.ts'

const route = getRouteApi('/shell/applications/$applicationId/feedback')

const statuses = [
  { value: 'open', label: 'Open' },
  { value: 'done', label: 'Done' },
  { value: 'all', label: 'All' },
]

/** Lists what testers wrote of the application, newest first. */
export function FeedbackPage() {
  const { applicationId } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const feedback = useSuspenseInfiniteQuery(feedbackQuery(applicationId, search))
  const shown = feedback.data.pages.flatMap((page) => page.items)
  return (
    <Stack gap="lg">
      <Group>
        <SegmentedControl
          aria-label="Status"
          data={statuses}
          value={search.status ?? 'open'}
          onChange={(status) => void navigate({ search: { status: toStatus(status) } })}
        />
      </Group>
      {shown.length === 0 ? (
        <EmptyState icon={MessageSquare} title={search.status === undefined ? 'No open feedback' : 'No feedback'}>
          <Text c="dimmed">Testers send it from the page of a build, with pictures if they like.</Text>
        </EmptyState>
      ) : (
        <section aria-label="Feedback">
          {shown.map((one) => (
            <FeedbackCard key={one.id} feedback={one} showsBuild />
          ))}
        </section>
      )}
      {feedback.hasNextPage && (
        <Group justify="center">
          <Button variant="default" loading={feedback.isFetchingNextPage} onClick={() => void feedback.fetchNextPage()}>
            Show more
          </Button>
        </Group>
      )}
    </Stack>
  )
}

function toStatus(value: string): FeedbackSearch['status'] {
  return value === 'done' || value === 'all' ? value : undefined
}
