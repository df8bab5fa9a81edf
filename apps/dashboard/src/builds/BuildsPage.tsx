import { Button, Group, Text } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { PackageOpen, SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { useCan } from '../api/session.ts'
import { applicationQuery } from '../applications/queries.ts'
import { type BuildsSearch, readBuildsSearch } from '../early/requests.ts'
import { DropArea } from '../ui/DropArea.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { formatCount } from '../ui/format.ts'
import { ButtonLink } from '../ui/links.tsx'
import { fileExtensions } from '../ui/platform-names.ts'
import { RoutePending } from '../ui/RoutePending.tsx'
import { BuildFilters } from './BuildFilters.tsx'
import { BuildList } from './BuildList.tsx'
import classes from './builds-page.module.css'
import { branchesQuery, buildsQuery } from './queries.ts'
import { startUploads } from '../uploads/upload-store.ts'
import { UploadButton } from './UploadButton.tsx'

const route = getRouteApi('/shell/applications/$applicationId/builds')

export function BuildsPage() {
  const { applicationId } = route.useParams()
  // Unknown parameters in the URL filter nothing.
  const search = readBuildsSearch(route.useSearch())
  const { data: application } = useSuspenseQuery(applicationQuery(applicationId))
  const builds = useInfiniteQuery({ ...buildsQuery(applicationId, search), placeholderData: keepPreviousData })
  const canUpload = useCan('developer')
  const extension = fileExtensions[application.platform]
  const shown = builds.data?.pages.flatMap((page) => page.items) ?? []
  const total = builds.data?.pages[0]?.total ?? 0
  const isFiltered = Object.keys(search).some((name) => name !== 'sort')
  const hasBuilds = application.buildCount > 0 || shown.length > 0 || isFiltered || builds.isPlaceholderData

  const list = hasBuilds ? (
    <>
      <Filters applicationId={applicationId} search={search} branches={listBranches(shown)}>
        {canUpload && <UploadButton application={application} />}
      </Filters>
      <ErrorNotice error={builds.error} />
      {builds.isPending && <RoutePending />}
      <div className={classes['list']} aria-busy={builds.isPlaceholderData}>
        {shown.length > 0 && (
          <BuildList
            key={applicationId}
            applicationId={applicationId}
            pages={builds.data?.pages.map(({ items }) => items) ?? []}
            count={formatCount(total, isFiltered ? 'matching build' : 'build')}
          />
        )}
        {builds.data && shown.length === 0 && <NoMatch applicationId={applicationId} />}
      </div>
      {builds.hasNextPage && (
        <Group justify="center" mt="md">
          <Button variant="default" loading={builds.isFetchingNextPage} onClick={() => void builds.fetchNextPage()}>
            Show more
          </Button>
        </Group>
      )}
    </>
  ) : (
    <EmptyState icon={PackageOpen} title="No builds yet">
      <Text c="dimmed">
        {canUpload ? `Drop an ${extension} here, or let CI upload every build.` : 'Nobody has uploaded a build so far.'}
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
  )
  if (!canUpload) return list
  return (
    <DropArea
      hint={`Drop the ${extension} to upload it to ${application.name}`}
      onFiles={(files) => startUploads(application, files)}
    >
      {list}
    </DropArea>
  )
}

interface FiltersProps {
  applicationId: number
  search: BuildsSearch
  /** The branches of the builds that are shown. */
  branches: string[]
  children: ReactNode
}

function Filters({ applicationId, search, branches, children }: FiltersProps) {
  const navigate = useNavigate()
  const { data: known = [] } = useQuery(branchesQuery(applicationId))
  const change = (part: { [Name in keyof BuildsSearch]: string }) =>
    void navigate({
      to: '/applications/$applicationId/builds',
      params: { applicationId },
      search: (current) => readBuildsSearch({ ...current, ...part }),
      replace: true,
      resetScroll: false,
    })
  return (
    <BuildFilters
      search={search}
      onChange={change}
      branches={[...new Set([...branches, ...known.map(({ name }) => name)])].toSorted()}
    >
      {children}
    </BuildFilters>
  )
}

function listBranches(builds: { source: { branch: string | null } | null }[]): string[] {
  return builds.flatMap(({ source }) => (source?.branch ? [source.branch] : []))
}

function NoMatch({ applicationId }: { applicationId: number }) {
  return (
    <EmptyState icon={SearchX} title="No build matches">
      <Text c="dimmed">Try a shorter search or fewer filters.</Text>
      <ButtonLink to="/applications/$applicationId/builds" params={{ applicationId }} variant="default">
        Show all builds
      </ButtonLink>
    </EmptyState>
  )
}
