import { Stack, Text } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { HeartPulse } from 'lucide-react'
import { EmptyState } from '../ui/EmptyState.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { AnchorLink } from '../ui/links.tsx'
import { stabilityQuery } from './queries.ts'
import { ReleasesPanel } from './ReleasesPanel.tsx'
import { toDays } from './stability-days.ts'
import { StabilityDays } from './StabilityDays.tsx'

const route = getRouteApi('/shell/applications/$applicationId/stability')

const StabilityCharts = lazyPart(
  async () => (await import('./StabilityCharts.tsx')).StabilityCharts,
  <div style={{ height: '41rem' }} />,
)

export function StabilityPage() {
  const { applicationId } = route.useParams()
  const { data: rows } = useSuspenseQuery(stabilityQuery(applicationId))
  const [newest] = rows
  if (!newest) {
    return (
      <EmptyState icon={HeartPulse} title="No sessions">
        <Text c="dimmed">Crash-free rates appear here when the app sends its sessions.</Text>
        <AnchorLink to="/applications/$applicationId/crash-set-up" params={{ applicationId }}>
          Set the app up
        </AnchorLink>
      </EmptyState>
    )
  }
  const days = toDays(rows)
  return (
    <Stack gap="md">
      <ReleasesPanel applicationId={applicationId} days={days} environment={newest.environment} />
      <StabilityCharts applicationId={applicationId} days={days} />
      <StabilityDays rows={rows} />
    </Stack>
  )
}
