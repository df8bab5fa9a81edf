import type { Stability } from '@fairlead/contract'
import { Stack, Text } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { HeartPulse } from 'lucide-react'
import { EmptyState } from '../ui/EmptyState.tsx'
import { formatCount, formatDay } from '../ui/format.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { List, ListRow } from '../ui/ListRow.tsx'
import { ShowMore, useParts } from '../ui/ShowMore.tsx'
import { stabilityQuery } from './queries.ts'
import { toReleaseText } from './release-text.ts'

const route = getRouteApi('/shell/applications/$applicationId/stability')

const StabilityCharts = lazyPart(
  async () => (await import('./StabilityCharts.tsx')).StabilityCharts,
  <div style={{ height: '41rem' }} />,
)

const percent = new Intl.NumberFormat('en', { style: 'percent', minimumFractionDigits: 2 })
export function StabilityPage() {
  const { applicationId } = route.useParams()
  const { data: days } = useSuspenseQuery(stabilityQuery(applicationId))
  const { shown, more } = useParts(days)
  if (days.length === 0) {
    return (
      <EmptyState icon={HeartPulse} title="No sessions">
        <Text c="dimmed">Crash-free rates appear here when the app sends its sessions.</Text>
      </EmptyState>
    )
  }
  return (
    <Stack gap="md">
      <StabilityCharts applicationId={applicationId} rows={days} />
      <List label="Crash-free sessions by day and release">{shown.map(toRow)}</List>
      <ShowMore {...more} />
    </Stack>
  )
}

function toRow(day: Stability) {
  const { date, startedCount, crashedCount, crashFreeRate } = day
  const sessions = `${formatCount(startedCount, 'session')}, ${crashedCount} of them crashed`
  return (
    <ListRow
      key={`${date} ${day.package} ${day.shortVersion} ${day.version}`}
      title={<span className="break">{toReleaseText(day)}</span>}
      sub={crashFreeRate === null ? 'No sessions' : `${percent.format(crashFreeRate)} crash-free, ${sessions}`}
      side={formatDay(date)}
    />
  )
}
