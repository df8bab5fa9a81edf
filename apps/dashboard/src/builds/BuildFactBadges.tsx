import type { BuildFacts } from '@fairlead/contract'
import { Badge } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { formatCount } from '../ui/format.ts'
import { VerdictBadge } from '../verdicts/VerdictBadge.tsx'
import classes from './build-row.module.css'

interface BuildFactBadgesProps {
  applicationId: number
  version: string
  /** Undefined while they are loaded; they keep their place until then, so that nothing moves. */
  facts: BuildFacts | undefined
}

/** Shows the verdict of a build's tests and the crashes of its release. */
export function BuildFactBadges({ applicationId, version, facts }: BuildFactBadgesProps) {
  if (!facts) return <span className={classes['pending']} />
  const { verdict, crashCount } = facts
  return (
    <>
      {verdict !== null && <VerdictBadge result={verdict} />}
      {crashCount > 0 && (
        <Link
          to="/applications/$applicationId/crashes"
          params={{ applicationId }}
          search={{ version }}
          className={classes['above']}
        >
          <Badge color="red" className={classes['linked']}>
            {formatCount(crashCount, 'crash', 'crashes')}
          </Badge>
        </Link>
      )}
    </>
  )
}
