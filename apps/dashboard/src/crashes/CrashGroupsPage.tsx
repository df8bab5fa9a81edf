import { Button, Group, Stack, Text } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Bug } from 'lucide-react'
import { useCan } from '../api/session.ts'
import { applicationQuery } from '../applications/queries.ts'
import { CodeBlock } from '../ui/CodeBlock.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { AnchorLink } from '../ui/links.tsx'
import { RoutePending } from '../ui/RoutePending.tsx'
import { GroupFilters } from './triage/GroupFilters.tsx'
import { GroupList } from './triage/GroupList.tsx'
import type { CrashGroupsSearch } from '../early/crash-groups-search.ts'
import { crashGroupsQuery } from './queries.ts'

const route = getRouteApi('/shell/applications/$applicationId/crashes')

export function CrashGroupsPage() {
  const { applicationId } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const canWrite = useCan('developer')
  const groups = useInfiniteQuery({ ...crashGroupsQuery(applicationId, search), placeholderData: keepPreviousData })
  const shown = groups.data?.pages.flatMap(({ items }) => items) ?? []
  const isFiltered = Object.values(search).some((value) => value !== undefined)
  return (
    <Stack gap="sm">
      <Group gap="md">
        <AnchorLink to="/applications/$applicationId/stability" params={{ applicationId }} size="sm">
          Stability
        </AnchorLink>
        <AnchorLink to="/applications/$applicationId/crash-rules" params={{ applicationId }} size="sm">
          Grouping rules
        </AnchorLink>
        <AnchorLink to="/applications/$applicationId/crash-set-up" params={{ applicationId }} size="sm">
          Set-up and missing symbols
        </AnchorLink>
      </Group>
      <GroupFilters
        search={search}
        groups={shown}
        onChange={(next) => void navigate({ search: next, replace: true, resetScroll: false })}
      />
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
      <ErrorNotice error={groups.error} />
      {groups.isPending && <RoutePending />}
      {groups.data && (
        <GroupList
          key={JSON.stringify(search)}
          applicationId={applicationId}
          groups={shown}
          total={groups.data.pages[0]?.total ?? shown.length}
          canWrite={canWrite}
          isBusy={groups.isPlaceholderData}
          empty={<NoGroups applicationId={applicationId} search={search} isFiltered={isFiltered} />}
        />
      )}
      {groups.hasNextPage && (
        <Group justify="center">
          <Button variant="default" loading={groups.isFetchingNextPage} onClick={() => void groups.fetchNextPage()}>
            Show more
          </Button>
        </Group>
      )}
    </Stack>
  )
}

interface NoGroupsProps {
  applicationId: number
  search: CrashGroupsSearch
  isFiltered: boolean
}

function NoGroups({ applicationId, search, isFiltered }: NoGroupsProps) {
  if (isFiltered) {
    const isOnlyStatus = Object.entries(search).every(([name, value]) => name === 'status' || value === undefined)
    return (
      <EmptyState icon={Bug} title="No crashes here">
        <Text c="dimmed">
          {isOnlyStatus && search.status !== 'all'
            ? `No crash group is ${search.status}.`
            : 'No crash group matches the filters.'}
        </Text>
        <AnchorLink to="/applications/$applicationId/crashes" params={{ applicationId }} search={{}}>
          Show open crashes
        </AnchorLink>
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={Bug} title="No crashes">
      <Text c="dimmed">Crashes appear here when the app sends them.</Text>
      <CreateKeyLine applicationId={applicationId} />
      <AnchorLink to="/applications/$applicationId/crash-set-up" params={{ applicationId }}>
        Set the app up
      </AnchorLink>
    </EmptyState>
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
