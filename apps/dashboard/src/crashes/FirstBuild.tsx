import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { buildQuery } from '../builds/queries.ts'

/** The number of digits of a commit that are shown. */
const shortCommit = 10

/** Links the build in which a crash was seen first, and names its commit. */
export function FirstBuild({ buildId }: { buildId: number }) {
  const { data: build } = useQuery(buildQuery(buildId))
  const commit = build?.source?.commit ?? null
  return (
    <>
      <Link to="/builds/$buildId" params={{ buildId }}>
        {build ? `${build.shortVersion} (${build.version})` : 'The build'}
      </Link>
      {commit !== null && (
        <>
          {', commit '}
          <code title={commit}>{commit.slice(0, shortCommit)}</code>
        </>
      )}
    </>
  )
}
