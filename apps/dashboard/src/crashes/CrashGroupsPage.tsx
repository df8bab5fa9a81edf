import { Button, Group, Stack, Text } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCan } from '../api/session.ts'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { AnchorLink } from '../ui/links.tsx'
import { RoutePending } from '../ui/RoutePending.tsx'
import { GroupFilters } from './triage/GroupFilters.tsx'
import { GroupList } from './triage/GroupList.tsx'
import { crashGroupsQuery } from './queries.ts'

// A page that has crashes does not need it.
const NoGroups = lazyPart(async () => (await import('./triage/NoGroups.tsx')).NoGroups)

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
