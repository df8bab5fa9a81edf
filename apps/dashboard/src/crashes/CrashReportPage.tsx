import type { Crash } from '@fairlead/contract'
import { Stack, Title } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { CodeName } from '../ui/CodeName.tsx'
import { Facts } from '../ui/Facts.tsx'
import { formatMoment } from '../ui/format.ts'
import { Panel } from '../ui/Panel.tsx'
import { useTitleIn } from '../applications/use-title-in.ts'
import classes from './breadcrumbs.module.css'
import { CrashStack } from './CrashStack.tsx'
import { crashQuery } from './queries.ts'
import { toReleaseText } from './release-text.ts'
import { describeSystem } from './describe-system.ts'

const route = getRouteApi('/shell/applications/$applicationId/crash-reports/$crashId')

/** The titles of crashes without an exception or a signal. */
const kindTitles: Record<Crash['kind'], string> = {
  anr: 'Application not responding',
  crash: 'Crash',
  handled: 'Handled error',
  hang: 'Hang',
}

const sourceTitles: Record<Crash['source'], string> = {
  acra: 'ACRA',
  android: 'A report of Android',
  appcenter: 'App Center SDK',
  apple: 'A report of Apple',
  metrickit: 'MetricKit',
  sentry: 'Sentry SDK',
}

export function CrashReportPage() {
  const { crashId } = route.useParams()
  const { data: crash } = useSuspenseQuery(crashQuery(crashId))
  const { applicationId, groupId: crashGroupId } = crash
  const title = crash.exceptions.at(-1)?.type ?? kindTitles[crash.kind]
  useTitleIn(applicationId, title)
  return (
    <Stack gap="lg">
      <Title order={2} className="break">
        <CodeName>{title}</CodeName>
      </Title>
      <Facts
        facts={[
          [
            'Group',
            <Link
              key="group"
              to="/applications/$applicationId/crashes/$crashGroupId"
              params={{ applicationId, crashGroupId }}
            >
              All crashes like this
            </Link>,
          ],
          ['Kind', crash.isFatal ? `${crash.kind}, fatal` : crash.kind],
          ['Occurred', formatMoment(crash.occurredDate)],
          ['Received', formatMoment(crash.receivedDate)],
          ['Release', toReleaseText(crash)],
          [
            'Build',
            crash.buildId === null ? null : (
              <Link key="build" to="/builds/$buildId" params={{ buildId: crash.buildId }}>
                Open the build
              </Link>
            ),
          ],
          ['Device', crash.deviceModel],
          ['System', describeSystem(crash)],
          ['Installation', crash.installId],
          ['Sent by', sourceTitles[crash.source]],
          ['Id of the sender', crash.sourceId],
          [
            'As text',
            <a key="report" href={`/v1/crashes/${crash.id}/report`}>
              Open the report
            </a>,
          ],
        ]}
      />
      <CrashStack crashId={crash.id} />
      {crash.breadcrumbs.length > 0 && (
        <Panel title="Before the crash">
          <ol className={classes['breadcrumbs']}>
            {crash.breadcrumbs.map(({ date, category, message }, place) => (
              <li key={`${place} ${message}`}>
                <span className={classes['moment']}>{date !== null && `${formatMoment(date)} `}</span>
                <span className="break">
                  {category !== null && <b>{`${category}: `}</b>}
                  {message}
                </span>
              </li>
            ))}
          </ol>
        </Panel>
      )}
    </Stack>
  )
}
