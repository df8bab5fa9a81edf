import type { Stability } from '@fairlead/contract'
import { Stack, Text } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { HeartPulse } from 'lucide-react'
import { EmptyState } from '../ui/EmptyState.tsx'
import { formatDay } from '../ui/format.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { AnchorLink } from '../ui/links.tsx'
import { ShowMore, useParts } from '../ui/ShowMore.tsx'
import { stabilityQuery } from './queries.ts'
import { toReleaseText } from './release-text.ts'
import classes from './stability-table.module.css'

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
        <AnchorLink to="/applications/$applicationId/crash-set-up" params={{ applicationId }}>
          Set the app up
        </AnchorLink>
      </EmptyState>
    )
  }
  return (
    <Stack gap="md">
      <StabilityCharts applicationId={applicationId} rows={days} />
      <table className={classes['table']} aria-label="Crash-free sessions by day and release">
        <thead>
          <tr>
            {['Day', 'Release', 'Crash-free', 'Sessions', 'Crashed'].map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{shown.map(toRow)}</tbody>
      </table>
      <ShowMore {...more} />
    </Stack>
  )
}

function toRow(day: Stability) {
  const { date, startedCount, crashedCount, crashFreeRate } = day
  return (
    <tr key={`${date} ${day.package} ${day.shortVersion} ${day.version}`}>
      <td>{formatDay(date)}</td>
      <th scope="row" className="break">
        {toReleaseText(day)}
      </th>
      <td>{crashFreeRate === null ? 'No sessions' : percent.format(crashFreeRate)}</td>
      <td>{startedCount.toLocaleString('en')}</td>
      <td data-bad={crashedCount > 0}>{crashedCount.toLocaleString('en')}</td>
    </tr>
  )
}
