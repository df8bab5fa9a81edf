import type { Build } from '@fairlead/contract'
import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import classes from './differences.module.css'
import { compareBuilds } from './differences.ts'

/** Lists what changed from one build to the next: permissions, systems, signature and size. */
export function DifferenceList({ previous, build }: { previous: Build; build: Build }) {
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
