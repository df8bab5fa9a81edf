import type { CrashGroup, UpdateCrashGroup } from '@fairlead/contract'
import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { client } from '../api/client.ts'
import { useCan } from '../api/session.ts'
import { Facts } from '../ui/Facts.tsx'
import { formatCount } from '../ui/format.ts'
import { List, ListRow, rowLink } from '../ui/ListRow.tsx'
import { Panel } from '../ui/Panel.tsx'
import { tell, tellFailure } from '../ui/tell.ts'
import { When } from '../ui/When.tsx'
import { CrashStack } from './CrashStack.tsx'
import { crashGroupQuery, crashStatisticsQuery, groupCrashesQuery } from './queries.ts'
import { toInstallText, toReleaseText } from './release-text.ts'

const route = getRouteApi('/shell/applications/$applicationId/crashes/$crashGroupId')
/** Values of one kind that are shown. */
const maxValues = 8

export function CrashGroupPage() {
  const { crashGroupId } = route.useParams()
  const { data: group } = useSuspenseQuery(crashGroupQuery(crashGroupId))
  const { data: crashes } = useSuspenseQuery(groupCrashesQuery(group.id))
  const canWrite = useCan('developer')
  const [newest] = crashes
  return (
    <Stack gap="lg">
      <div>
        <Group gap="xs">
          <Title order={2} className="break">
            {group.title}
          </Title>
          <Badge>{group.status}</Badge>
          {group.isRegressed && <Badge color="red">Regressed</Badge>}
        </Group>
        <Text c="dimmed" className="break">
          {group.culprit}
        </Text>
      </div>
      {canWrite && <StatusButtons group={group} />}
      <Totals group={group} />
      {newest && <CrashStack crashId={newest.id} />}
      <WhyHere group={group} />
      <Statistics groupId={group.id} />
      <Panel title="Newest crashes">
        <List label="Newest crashes">
          {crashes.map((crash) => (
            <ListRow
              key={crash.id}
              title={
                <Link
                  to="/applications/$applicationId/crash-reports/$crashId"
                  params={{ applicationId: group.applicationId, crashId: crash.id }}
                  className={rowLink}
                >
                  {toReleaseText(crash)}
                </Link>
              }
              sub={[crash.deviceModel, crash.osName, crash.osVersion].filter(Boolean).join(' ')}
              side={<When date={crash.occurredDate} />}
            />
          ))}
        </List>
      </Panel>
    </Stack>
  )
}

function StatusButtons({ group }: { group: CrashGroup }) {
  const { mutate, isPending } = useMutation({
    mutationFn: (update: UpdateCrashGroup) => client.crashes.updateGroup(group.id, update),
    onSuccess: ({ status }) => tell(`The group is ${status}`),
    onError: tellFailure,
  })
  return (
    <Group gap="xs">
      {group.status !== 'resolved' && (
        <Button loading={isPending} onClick={() => mutate({ status: 'resolved' })}>
          Resolve
        </Button>
      )}
      {group.status === 'open' && (
        <Button variant="default" loading={isPending} onClick={() => mutate({ status: 'ignored' })}>
          Ignore
        </Button>
      )}
      {group.status !== 'open' && (
        <Button variant="default" loading={isPending} onClick={() => mutate({ status: 'open' })}>
          Open again
        </Button>
      )}
    </Group>
  )
}

function Totals({ group }: { group: CrashGroup }) {
  return (
    <Facts
      facts={[
        ['Crashes', formatCount(group.crashCount, 'crash', 'crashes')],
        ['Installs', toInstallText(group)],
        ['First seen', <When key="first" date={group.firstSeenDate} />],
        ['Last seen', <When key="last" date={group.lastSeenDate} />],
        ['First release', group.firstRelease && toReleaseText(group.firstRelease)],
        ['Last release', group.lastRelease && toReleaseText(group.lastRelease)],
        ['Resolved in', group.resolvedInVersion],
        ['Assignee', group.assignee?.name],
      ]}
    />
  )
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
              <code>{line}</code>
            </li>
          ))}
        </ol>
        {group.skippedFrames.length > 0 && (
          <>
            <Text size="sm">Frames that were passed over:</Text>
            <ul>
              {group.skippedFrames.map(({ name, reason }, place) => (
                <li key={`${place} ${name}`} className="break">
                  <code>{name}</code> {reason}
                </li>
              ))}
            </ul>
          </>
        )}
      </Stack>
    </Panel>
  )
}

function Statistics({ groupId }: { groupId: number }) {
  const { data } = useSuspenseQuery(crashStatisticsQuery(groupId))
  return (
    <Panel title="Who is affected">
      <Facts
        facts={[
          ...data.releases.slice(0, maxValues).map(
            (release) =>
              [
                toReleaseText(release),
                <span key="release">
                  {formatCount(release.count, 'crash', 'crashes')}, {toInstallText(release)}
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
          ),
          ...[...data.osVersions.slice(0, maxValues), ...data.deviceModels.slice(0, maxValues)].map(
            ({ value, count }) => [value === '' ? 'Not known' : value, formatCount(count, 'crash', 'crashes')] as const,
          ),
        ]}
      />
    </Panel>
  )
}
