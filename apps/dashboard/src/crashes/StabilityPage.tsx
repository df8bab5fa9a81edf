import type { Stability } from '@fairlead/contract'
import { Table, Text } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { HeartPulse } from 'lucide-react'
import { EmptyState } from '../ui/EmptyState.tsx'
import { formatDay } from '../ui/format.ts'
import { stabilityQuery } from './queries.ts'
import { toReleaseText } from './release-text.ts'

const route = getRouteApi('/shell/applications/$applicationId/stability')
const percent = new Intl.NumberFormat('en', { style: 'percent', minimumFractionDigits: 2 })
/** Rows that are shown: some weeks of some releases. */
const maxRows = 200

export function StabilityPage() {
  const { applicationId } = route.useParams()
  const { data: days } = useSuspenseQuery(stabilityQuery(applicationId))
  if (days.length === 0) {
    return (
      <EmptyState icon={HeartPulse} title="No sessions">
        <Text c="dimmed">Crash-free rates appear here when the app sends its sessions.</Text>
      </EmptyState>
    )
  }
  return (
    <Table.ScrollContainer minWidth={480}>
      <Table aria-label="Crash-free sessions by day and release">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Day</Table.Th>
            <Table.Th>Release</Table.Th>
            <Table.Th>Sessions</Table.Th>
            <Table.Th>Crashed</Table.Th>
            <Table.Th>Crash-free</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{days.slice(0, maxRows).map(toRow)}</Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function toRow(day: Stability) {
  const { date, startedCount, crashedCount, crashFreeRate } = day
  return (
    <Table.Tr key={`${date} ${day.package} ${day.shortVersion} ${day.version}`}>
      <Table.Td>{formatDay(date)}</Table.Td>
      <Table.Td className="break">{toReleaseText(day)}</Table.Td>
      <Table.Td>{startedCount}</Table.Td>
      <Table.Td>{crashedCount}</Table.Td>
      <Table.Td>{crashFreeRate === null ? 'No sessions' : percent.format(crashFreeRate)}</Table.Td>
    </Table.Tr>
  )
}
