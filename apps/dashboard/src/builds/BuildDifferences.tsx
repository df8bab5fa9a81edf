import type { Build } from '@fairlead/contract'
import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Panel } from '../ui/Panel.tsx'
import { previousBuildQuery } from './queries.ts'

const DifferenceList = lazyPart(
  async () => (await import('./DifferenceList.tsx')).DifferenceList,
  <Skeleton height={60} />,
)

export function BuildDifferences({ build }: { build: Build }) {
  const { data: previous, isPending, error } = useQuery(previousBuildQuery(build))
  return (
    <Panel title="Since the previous build">
      {isPending && <Skeleton height={60} />}
      <ErrorNotice error={error} />
      {previous === null && (
        <Text size="sm" c="dimmed">
          This is the first build of the application.
        </Text>
      )}
      {previous && <DifferenceList previous={previous} build={build} />}
    </Panel>
  )
}
