import type { Build } from '@fairlead/contract'
import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { Panel } from '../ui/Panel.tsx'
import classes from './differences.module.css'
import { compareBuilds } from './differences.ts'
import { previousBuildQuery } from './queries.ts'

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
      {previous && <Differences previous={previous} build={build} />}
    </Panel>
  )
}

function Differences({ previous, build }: { previous: Build; build: Build }) {
  const differences = compareBuilds(previous, build)
  return (
    <>
      <Text size="sm" c="dimmed" mb={differences.length > 0 ? 'xs' : 0}>
        Compared with{' '}
        <Link to="/builds/$buildId" params={{ buildId: previous.id }}>
          {previous.shortVersion} ({previous.version})
        </Link>
        {differences.length === 0 && ': the same permissions, systems, signature and size.'}
      </Text>
      {differences.length > 0 && (
        <dl className={classes['list']}>
          {differences.map(({ what, before, after, isNotable }) => (
            <div key={what} className={classes['row']} data-notable={isNotable}>
              <dt>{what}</dt>
              <dd className="break">
                {before !== '' && <del>{before}</del>}
                {before !== '' && after !== '' && <span aria-hidden> → </span>}
                {after !== '' && <ins>{after}</ins>}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  )
}
