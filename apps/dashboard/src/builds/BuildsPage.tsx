import { Button, Group, Text } from '@mantine/core'
import { useSuspenseInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { PackageOpen, SearchX } from 'lucide-react'
import { useCan } from '../api/session.ts'
import { applicationQuery } from '../applications/queries.ts'
import { DropArea } from '../ui/DropArea.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { formatCount } from '../ui/format.ts'
import { List } from '../ui/ListRow.tsx'
import { fileExtensions } from '../ui/platform-names.ts'
import { BuildFilters } from './BuildFilters.tsx'
import { BuildRow } from './BuildRow.tsx'
import { buildsQuery } from './queries.ts'
import { readBuildsSearch } from './search.ts'
import { startUpload } from './upload-store.ts'
import { UploadButton } from './UploadButton.tsx'
import { ButtonLink } from '../ui/links.tsx'

const route = getRouteApi('/shell/applications/$applicationId/')

export function BuildsPage() {
  const { applicationId } = route.useParams()
  // Unknown search parameters are ignored.
  const search = readBuildsSearch(route.useSearch())
  const navigate = useNavigate()
  const { data: application } = useSuspenseQuery(applicationQuery(applicationId))
  const builds = useSuspenseInfiniteQuery(buildsQuery(applicationId, search))
  const canUpload = useCan('developer')
  const shown = builds.data.pages.flatMap((page) => page.items)
  const total = builds.data.pages[0]?.total ?? 0
  const isFiltered = Object.keys(search).length > 0
  const extension = fileExtensions[application.platform]

  const list = (
    <>
      {(shown.length > 0 || isFiltered) && (
        <BuildFilters
          search={search}
          onChange={(next) =>
            void navigate({
              to: '/applications/$applicationId',
              params: { applicationId },
              search: next,
              replace: true,
              resetScroll: false,
            })
          }
        >
          {canUpload && <UploadButton application={application} />}
        </BuildFilters>
      )}
      {shown.length > 0 && (
        <>
          <Text size="sm" c="dimmed" mb="xs" role="status">
            {formatCount(total, isFiltered ? 'matching build' : 'build')}
          </Text>
          <List label="Builds">
            {shown.map((build) => (
              <BuildRow key={build.id} build={build} />
            ))}
          </List>
        </>
      )}
      {builds.hasNextPage && (
        <Group justify="center" mt="md">
          <Button variant="default" loading={builds.isFetchingNextPage} onClick={() => void builds.fetchNextPage()}>
            Show more
          </Button>
        </Group>
      )}
      {shown.length === 0 && isFiltered && (
        <EmptyState icon={SearchX} title="No build matches">
          <Text c="dimmed">Look for less, or for something else.</Text>
          <ButtonLink to="/applications/$applicationId" params={{ applicationId }} variant="default">
            Show all builds
          </ButtonLink>
        </EmptyState>
      )}
      {shown.length === 0 && !isFiltered && (
        <EmptyState icon={PackageOpen} title="No builds yet">
          <Text c="dimmed">
            {canUpload
              ? `Drop an ${extension} here, or let CI upload every build.`
              : 'Nobody has uploaded a build so far.'}
          </Text>
          {canUpload && (
            <Group justify="center">
              <UploadButton application={application} />
              <ButtonLink to="/applications/$applicationId/ci" params={{ applicationId }} variant="default">
                Upload from CI
              </ButtonLink>
            </Group>
          )}
        </EmptyState>
      )}
    </>
  )
  if (!canUpload) return list
  return (
    <DropArea
      hint={`Drop the ${extension} to upload it to ${application.name}`}
      onFiles={(files) => files.forEach((file) => startUpload(application, file))}
    >
      {list}
    </DropArea>
  )
}
