import type { CrashGroup, CrashGroupStatus } from '@fairlead/contract'
import { Badge, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Bug } from 'lucide-react'
import { applicationQuery } from '../applications/queries.ts'
import { CodeBlock } from '../ui/CodeBlock.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { formatCount } from '../ui/format.ts'
import { AnchorLink } from '../ui/links.tsx'
import { List, ListRow, rowLink } from '../ui/ListRow.tsx'
import { When } from '../ui/When.tsx'
import { crashGroupsQuery } from './queries.ts'
import { toInstallText, toReleaseText } from './release-text.ts'

const route = getRouteApi('/shell/applications/$applicationId/crashes')

const statuses: { value: CrashGroupStatus; label: string }[] = [
  { value: 'open', label: 'Open' },
  { value: 'resolved', label: 'Resolved' },
  { value: 'ignored', label: 'Ignored' },
]

export function CrashGroupsPage() {
  const { applicationId } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { data: groups } = useSuspenseQuery(crashGroupsQuery(applicationId, search))
  const isFiltered = Object.values(search).some((value) => value !== undefined)
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <SegmentedControl
          aria-label="Status"
          data={statuses}
          value={search.status ?? (search.build === undefined ? 'open' : '')}
          onChange={(status) => {
            const chosen = statuses.find(({ value }) => value === status)?.value
            const isDefault = chosen === 'open' && search.build === undefined
            void navigate({ search: { ...search, status: isDefault ? undefined : chosen } })
          }}
        />
        <TextInput
          aria-label="Search crashes"
          placeholder="Exception or method"
          defaultValue={search.q ?? ''}
          onChange={({ currentTarget: { value } }) => {
            void navigate({ search: { ...search, q: value === '' ? undefined : value }, replace: true })
          }}
        />
        <Group gap="md">
          <AnchorLink to="/applications/$applicationId/stability" params={{ applicationId }}>
            Stability
          </AnchorLink>
          <AnchorLink to="/applications/$applicationId/crash-rules" params={{ applicationId }}>
            Grouping rules
          </AnchorLink>
          <AnchorLink to="/applications/$applicationId/crash-set-up" params={{ applicationId }}>
            Set-up and missing symbols
          </AnchorLink>
        </Group>
      </Group>
      {search.build !== undefined && (
        <Group gap="xs">
          <Text size="sm">Only crashes of one release.</Text>
          <AnchorLink
            to="/applications/$applicationId/crashes"
            params={{ applicationId }}
            search={{ ...search, build: undefined }}
            size="sm"
          >
            Show all releases
          </AnchorLink>
        </Group>
      )}
      {groups.length === 0 ? (
        <EmptyState icon={Bug} title={isFiltered ? 'No crashes here' : 'No crashes'}>
          <Text c="dimmed">
            {isFiltered ? 'No crash group matches the filters.' : 'Crashes appear here when the app sends them.'}
          </Text>
          {!isFiltered && <CreateKeyLine applicationId={applicationId} />}
          <AnchorLink to="/applications/$applicationId/crash-set-up" params={{ applicationId }}>
            Set the app up
          </AnchorLink>
        </EmptyState>
      ) : (
        <List label="Crash groups">
          {groups.map((group) => (
            <GroupRow key={group.id} group={group} />
          ))}
        </List>
      )}
    </Stack>
  )
}

/** The command that makes the key which an app sends its crashes with. */
function CreateKeyLine({ applicationId }: { applicationId: number }) {
  const { data: application } = useSuspenseQuery(applicationQuery(applicationId))
  return (
    <Stack w="100%" maw="40rem" miw={0}>
      <CodeBlock
        label="the command that makes a crash key"
        code={`fairlead crashes keys create Apps --app ${application.alias}`}
      />
    </Stack>
  )
}

function GroupRow({ group }: { group: CrashGroup }) {
  const { applicationId, id: crashGroupId, lastRelease } = group
  return (
    <ListRow
      title={
        <Group gap="xs">
          <Link
            to="/applications/$applicationId/crashes/$crashGroupId"
            params={{ applicationId, crashGroupId }}
            className={`${rowLink} break`}
          >
            {group.title}
          </Link>
          {group.isRegressed && <Badge color="red">Regressed</Badge>}
          {group.kind !== 'crash' && <Badge>{group.kind}</Badge>}
        </Group>
      }
      sub={
        <span className="break">
          {group.culprit}
          {group.culprit !== null && <br />}
          {[
            formatCount(group.crashCount, 'crash', 'crashes'),
            toInstallText(group),
            lastRelease && toReleaseText(lastRelease),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      }
      side={
        <Text size="sm" c="dimmed">
          <When date={group.lastSeenDate} />
        </Text>
      }
    />
  )
}
