import type { AlertRecord } from '@fairlead/contract'
import { Button, Group, Text } from '@mantine/core'
import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { List, ListRow } from '../ui/ListRow.tsx'
import { Panel } from '../ui/Panel.tsx'
import { When } from '../ui/When.tsx'
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
        <List label="Alerts">
          {alerts.map((alert) => (
            <ListRow
              key={alert.id}
              title={<AlertTitle alert={alert} />}
              sub={
                <>
                  {alert.detail !== null && (
                    <>
                      <span className="break">{alert.detail}</span>
                      <br />
                    </>
                  )}
                  {alert.ruleName} · <When date={alert.firedDate} />
                </>
              }
            />
          ))}
        </List>
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
        {title}
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
        {title}
      </Link>
    )
  }
  return <span className="break">{title}</span>
}
