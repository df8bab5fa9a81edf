import type { CrashGroup, CrashGroupStatistics, CrashRelease } from '@fairlead/contract'
import { Badge, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery, useSuspenseInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCan } from '../api/session.ts'
import { useTitleIn } from '../applications/use-title-in.ts'
import { CrashSuspects } from '../explanations/CrashSuspects.tsx'
import { crashExplanationQuery } from '../explanations/queries.ts'
import { After } from '../ui/After.tsx'
import { CodeName } from '../ui/CodeName.tsx'
import { Facts } from '../ui/Facts.tsx'
import { formatCount } from '../ui/format.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Panel } from '../ui/Panel.tsx'
import { When } from '../ui/When.tsx'
import { CrashStack } from './CrashStack.tsx'
import { DayCrashesPanel } from './DayCrashesPanel.tsx'
import { FirstBuild } from './FirstBuild.tsx'
import { GroupControls } from './GroupControls.tsx'
import { crashGroupQuery, crashStatisticsQuery, crashTestFailuresQuery, groupCrashesQuery } from './queries.ts'
import { NewestCrashes } from './NewestCrashes.tsx'
import { toPeople, toReleaseText } from './release-text.ts'
import { StacksPanel } from './StacksPanel.tsx'
import { TestFailuresPanel } from './TestFailuresPanel.tsx'

const route = getRouteApi('/shell/applications/$applicationId/crashes/$crashGroupId')

const GroupDaysChart = lazyPart(
  async () => (await import('./GroupDaysChart.tsx')).GroupDaysChart,
  <div style={{ height: '13.5rem' }} />,
)

/** The reasons of the API for leaving a frame out of a group's key, in words. */
const reasons: Partial<Record<string, string>> = {
  raises: 'raises the exception',
  aborts: 'ends the process',
  allocates: 'allocates memory',
  sends: 'sends a message to an object',
  traps: 'belongs to the signal handler',
  schedules: 'schedules work',
  reflects: 'calls by reflection',
  waits: 'waits',
  rule: 'is passed over by a rule of the application',
}
/** The page shows this many values of each kind, such as devices. */
const maxValues = 8

export function CrashGroupPage() {
  const { crashGroupId } = route.useParams()
  const { data: group } = useSuspenseQuery(crashGroupQuery(crashGroupId))
  const pages = useSuspenseInfiniteQuery(groupCrashesQuery(group.id))
  const crashes = pages.data.pages.flatMap(({ items }) => items)
  const { data: statistics } = useSuspenseQuery(crashStatisticsQuery(group.id))
  const explanation = useQuery(crashExplanationQuery(group.id))
  const failures = useQuery(crashTestFailuresQuery(group.id))
  const { date } = route.useSearch()
  const canWrite = useCan('developer')
  useTitleIn(group.applicationId, group.title)
  const [newest] = crashes
  return (
    <Stack gap="lg">
      <div>
        <Group gap="xs">
          <Title order={2} className="break">
            <CodeName>{group.title}</CodeName>
          </Title>
          <Badge color={group.status === 'resolved' ? 'green' : 'gray'} className="word">
            {group.status}
          </Badge>
          {group.isRegressed && <Badge color="red">Regressed</Badge>}
        </Group>
        {group.culprit !== null && (
          <Text c="dimmed" className="break">
            <CodeName>{group.culprit}</CodeName>
          </Text>
        )}
      </div>
      {canWrite && <GroupControls group={group} />}
      <Totals group={group} statistics={statistics} />
      <Panel title="Crashes by day">
        <GroupDaysChart applicationId={group.applicationId} crashGroupId={group.id} statistics={statistics} />
      </Panel>
      {date !== undefined && (
        <DayCrashesPanel applicationId={group.applicationId} crashGroupId={group.id} date={date} />
      )}
      {newest && <CrashStack crashId={newest.id} />}
      <After queries={[explanation, failures]}>
        <CrashSuspects group={group} />
        <WhyHere group={group} />
        <TestFailuresPanel group={group} />
        <Statistics statistics={statistics} />
        <StacksPanel key={group.id} group={group} stacks={statistics.stacks} canWrite={canWrite} />
        <NewestCrashes key={group.id} applicationId={group.applicationId} crashes={crashes} pages={pages} />
      </After>
    </Stack>
  )
}

interface TotalsProps {
  group: CrashGroup
  statistics: CrashGroupStatistics
}

function Totals({ group, statistics }: TotalsProps) {
  const { firstRelease } = group
  const first = firstRelease && statistics.releases.find((release) => isSameRelease(release, firstRelease))
  return (
    <Facts
      facts={[
        ['Crashes', formatCount(group.crashCount, 'crash', 'crashes')],
        ['People', toPeople(group)],
        ['First seen', <When key="first" date={group.firstSeenDate} />],
        ['Last seen', <When key="last" date={group.lastSeenDate} />],
        ['First release', group.firstRelease && toReleaseText(group.firstRelease)],
        ['First build', first && first.buildId !== null ? <FirstBuild key="build" buildId={first.buildId} /> : null],
        ['Last release', group.lastRelease && toReleaseText(group.lastRelease)],
        ['Resolved in', group.resolvedInVersion],
        ['Ignored until', group.ignoredUntilDate && <When key="until" date={group.ignoredUntilDate} />],
        ['Assignee', group.assignee?.name],
      ]}
    />
  )
}

function isSameRelease(one: CrashRelease, other: CrashRelease): boolean {
  return one.package === other.package && one.shortVersion === other.shortVersion && one.version === other.version
}

/** Explains the group: the lines that its crashes share, and the frames that were passed over. */
function WhyHere({ group }: { group: CrashGroup }) {
  return (
    <Panel title="Why these crashes are one group">
      <Stack gap="xs">
        <Text size="sm">They share these lines:</Text>
        <ol>
          {group.key.map((line, place) => (
            <li key={`${place} ${line}`} className="break">
              <code>
                <CodeName>{line}</CodeName>
              </code>
            </li>
          ))}
        </ol>
        {group.skippedFrames.length > 0 && (
          <>
            <Text size="sm">Frames that were passed over:</Text>
            <ul>
              {group.skippedFrames.map(({ name, reason }, place) => (
                <li key={`${place} ${name}`} className="break">
                  <code>
                    <CodeName>{name}</CodeName>
                  </code>{' '}
                  {reasons[reason] ?? reason}
                </li>
              ))}
            </ul>
          </>
        )}
      </Stack>
    </Panel>
  )
}

function Statistics({ statistics: { releases, osVersions, deviceModels } }: { statistics: CrashGroupStatistics }) {
  return (
    <Panel title="Who is affected">
      <Facts
        facts={releases.slice(0, maxValues).map(
          (release) =>
            [
              toReleaseText(release),
              <span key="release">
                {formatCount(release.count, 'crash', 'crashes')}, {toPeople(release)}
                {release.buildId !== null && (
                  <>
                    {', '}
                    <Link to="/builds/$buildId" params={{ buildId: release.buildId }}>
                      the build
                    </Link>
                  </>
                )}
              </span>,
            ] as const,
        )}
      />
      <Values title="Systems" values={osVersions} />
      <Values title="Devices" values={deviceModels} />
    </Panel>
  )
}

function Values({ title, values }: { title: string; values: CrashGroupStatistics['osVersions'] }) {
  if (values.length === 0) return null
  return (
    <>
      <Text size="sm" fw={580} mt="sm">
        {title}
      </Text>
      <Facts
        facts={values
          .slice(0, maxValues)
          .map(({ value, count }) => [value === '' ? 'Not known' : value, formatCount(count, 'crash', 'crashes')])}
      />
    </>
  )
}
