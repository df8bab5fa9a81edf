import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { formatDay, formatInstant } from '../ui/format.ts'
import { AnchorLink } from '../ui/links.tsx'
import { List } from '../ui/ListRow.tsx'
import { Panel } from '../ui/Panel.tsx'
import { dayCrashesQuery } from './queries.ts'
import { CrashRow } from './CrashRow.tsx'
import { describeSystem } from './describe-system.ts'

interface DayCrashesPanelProps {
  applicationId: number
  crashGroupId: number
  /** In UTC. */
  date: string
}

/** The crashes of a group on a day, to which the bars of its chart lead. */
export function DayCrashesPanel({ applicationId, crashGroupId, date }: DayCrashesPanelProps) {
  const { data: crashes, error } = useQuery(dayCrashesQuery(crashGroupId, date))
  return (
    <Panel
      title={`Crashes of ${formatDay(date)}`}
      actions={
        <AnchorLink
          to="/applications/$applicationId/crashes/$crashGroupId"
          params={{ applicationId, crashGroupId }}
          search={{}}
          size="sm"
        >
          Of all days
        </AnchorLink>
      }
    >
      <ErrorNotice error={error} />
      {crashes?.length === 0 && (
        <Text size="sm" c="dimmed">
          No crash of that day is kept.
        </Text>
      )}
      <List label="Crashes of the day">
        {crashes?.map((crash) => (
          <CrashRow
            key={crash.id}
            applicationId={applicationId}
            crash={crash}
            sub={[formatInstant(crash.occurredDate), crash.deviceModel, describeSystem(crash)]
              .filter(Boolean)
              .join(' · ')}
          />
        ))}
      </List>
    </Panel>
  )
}
