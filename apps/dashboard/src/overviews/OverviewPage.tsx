import { Group, Text } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { PackageOpen } from 'lucide-react'
import { useCan } from '../api/session.ts'
import { applicationQuery } from '../applications/queries.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { MissingSymbolsSummary } from './MissingSymbolsSummary.tsx'
import { NewestBuildPanel } from './NewestBuildPanel.tsx'
import { NewGroupsPanel } from './NewGroupsPanel.tsx'
import classes from './overview.module.css'
import { overviewQuery } from './queries.ts'
import { SizePanel } from './SizePanel.tsx'
import { StabilityPanel } from './StabilityPanel.tsx'
import { TestsPanel } from './TestsPanel.tsx'

const route = getRouteApi('/shell/applications/$applicationId/')

/** Says whether the release of an application is healthy, what is new, and what has to be done. */
export function OverviewPage() {
  const { applicationId } = route.useParams()
  const { data: overview } = useSuspenseQuery(overviewQuery(applicationId))
  const { newestBuild: build, stability, newCrashGroups, missingSymbols, tests, sizes } = overview
  const isUnused = build === null && stability.startedCount === 0 && newCrashGroups.count === 0 && !tests.latestRun
  if (isUnused) return <NothingYet applicationId={applicationId} />
  return (
    <div className={classes['columns']}>
      <div className={classes['column']}>
        {build && <NewestBuildPanel applicationId={applicationId} build={build} />}
        <StabilityPanel applicationId={applicationId} stability={stability} />
        {sizes.length > 1 && <SizePanel sizes={sizes} build={build} />}
      </div>
      <div className={classes['column']}>
        {missingSymbols.length > 0 && <MissingSymbolsSummary applicationId={applicationId} missing={missingSymbols} />}
        <NewGroupsPanel applicationId={applicationId} groups={newCrashGroups} />
        <TestsPanel applicationId={applicationId} tests={tests} />
      </div>
    </div>
  )
}

function NothingYet({ applicationId }: { applicationId: number }) {
  const { data: application } = useSuspenseQuery(applicationQuery(applicationId))
  const canUpload = useCan('developer')
  const params = { applicationId }
  return (
    <EmptyState icon={PackageOpen} title="Nothing to see yet">
      <Text c="dimmed" ta="center">
        The newest build of {application.name}, its crashes and its tests are summed up here.
      </Text>
      {canUpload && (
        <Group justify="center">
          <ButtonLink to="/applications/$applicationId/builds" params={params}>
            Upload a build
          </ButtonLink>
          <ButtonLink to="/applications/$applicationId/ci" params={params} variant="default">
            Upload from CI
          </ButtonLink>
          <ButtonLink to="/applications/$applicationId/crash-set-up" params={params} variant="default">
            Send crashes
          </ButtonLink>
        </Group>
      )}
    </EmptyState>
  )
}
