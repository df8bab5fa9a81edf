import type { AlertRecord } from '@fairlead/contract'
import { Button, Group, Text } from '@mantine/core'
import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CodeName } from '../ui/CodeName.tsx'
import { DayList, TimeOfDay } from '../ui/DayList.tsx'
import { ListRow } from '../ui/ListRow.tsx'
import { Panel } from '../ui/Panel.tsx'
import { firedQuery } from './queries.ts'

/** Lists the alerts that the rules of an application have raised, newest first. */
export function FiredAlerts({ applicationId }: { applicationId: number }) {
  const fired = useSuspenseInfiniteQuery(firedQuery(applicationId))
  const alerts = fired.data.pages.flatMap((page) => page.items)
  return (
    <Panel title="Alerts">
      {alerts.length === 0 ? (
        <Text c="dimmed" size="sm">
          Nothing was wrong in the last 90 days.
        </Text>
      ) : (
        <DayList label="Alerts" items={alerts} dateOf={({ firedDate }) => firedDate} headingOrder={3}>
          {(alert) => (
            <ListRow
              key={alert.id}
              icon={<TimeOfDay date={alert.firedDate} />}
              title={<AlertTitle alert={alert} />}
              sub={<CodeName>{[alert.detail, alert.ruleName].filter((part) => part !== null).join(' · ')}</CodeName>}
            />
          )}
        </DayList>
      )}
      {fired.hasNextPage && (
        <Group justify="center" mt="md">
          <Button variant="default" loading={fired.isFetchingNextPage} onClick={() => void fired.fetchNextPage()}>
            Show more
          </Button>
        </Group>
      )}
    </Panel>
  )
}

/** Leads to what the alert is about, where it is one thing. */
function AlertTitle({ alert }: { alert: AlertRecord }) {
  const { applicationId, crashGroupId, testRunId, title } = alert
  if (crashGroupId !== null) {
    return (
      <Link
        to="/applications/$applicationId/crashes/$crashGroupId"
        params={{ applicationId, crashGroupId }}
        className="break"
      >
        <CodeName>{title}</CodeName>
      </Link>
    )
  }
  if (testRunId !== null) {
    return (
      <Link
        to="/applications/$applicationId/tests/runs/$testRunId"
        params={{ applicationId, testRunId }}
        className="break"
      >
        <CodeName>{title}</CodeName>
      </Link>
    )
  }
  return (
    <span className="break">
      <CodeName>{title}</CodeName>
    </span>
  )
}
