import type { ApplicationOverview, ReleaseHealth } from '@fairlead/contract'
import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { toReleaseColor } from '../crashes/release-colors.ts'
import { toReleaseText } from '../crashes/release-text.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { formatCount } from '../ui/format.ts'
import { AnchorLink } from '../ui/links.tsx'
import { Panel } from '../ui/Panel.tsx'
import classes from './overview.module.css'
import { formatCrashFree, formatPoints, formatShare } from '../ui/rates.ts'

const chartPlace = <div className={classes['chartPlace']} />
const CrashFreeChart = lazyPart(async () => (await import('./CrashFreeChart.tsx')).CrashFreeChart, chartPlace)

interface StabilityPanelProps {
  applicationId: number
  stability: ApplicationOverview['stability']
}

/** Crash-free sessions of the last 14 days, and those of each release with its adoption. */
export function StabilityPanel({ applicationId, stability }: StabilityPanelProps) {
  const { crashFreeRate, previousCrashFreeRate: before, environment, startedCount, releases } = stability
  const params = { applicationId }
  return (
    <Panel
      title="Stability"
      actions={
        <AnchorLink to="/applications/$applicationId/stability" params={params} size="sm">
          By day and release
        </AnchorLink>
      }
    >
      {crashFreeRate === null ? (
        <Text size="sm" c="dimmed">
          No sessions in the last 14 days. Crash-free rates appear here when the app sends them.{' '}
          <AnchorLink to="/applications/$applicationId/crash-set-up" params={params} td="underline">
            Set the app up
          </AnchorLink>
        </Text>
      ) : (
        <>
          <div className={classes['figures']}>
            <span className={classes['number']}>{formatCrashFree(crashFreeRate)}</span>
            <Text size="sm" c="dimmed">
              crash-free sessions in the last 14 days, {formatCount(startedCount, 'session')} of {environment}
              {before !== null && ` · ${formatPoints(crashFreeRate - before)} against the 14 days before`}
            </Text>
          </div>
          <CrashFreeChart applicationId={applicationId} stability={stability} />
          {releases.length > 0 && <Releases applicationId={applicationId} releases={releases} />}
        </>
      )}
    </Panel>
  )
}

function Releases({ applicationId, releases }: { applicationId: number; releases: readonly ReleaseHealth[] }) {
  return (
    <div className={classes['scroll']}>
      <table className={classes['table']}>
        <caption className="visually-hidden">Releases with most sessions</caption>
        <thead>
          <tr>
            <th scope="col">Version</th>
            <th scope="col">Crash-free</th>
            <th scope="col">Adoption</th>
            <th scope="col">Crashes</th>
          </tr>
        </thead>
        <tbody>
          {releases.map((release, place) => (
            <tr
              key={`${release.package} ${release.shortVersion} ${release.version}`}
              data-color={toReleaseColor(place)}
            >
              <th scope="row">
                {release.buildId === null ? (
                  toReleaseText(release)
                ) : (
                  <Link to="/builds/$buildId" params={{ buildId: release.buildId }}>
                    {toReleaseText(release)}
                  </Link>
                )}
              </th>
              <td>{release.crashFreeRate === null ? '–' : formatCrashFree(release.crashFreeRate)}</td>
              <td>
                <span className={classes['adoption']}>
                  <span style={{ width: `${(release.adoptionRate ?? 0) * 100}%` }} />
                </span>
                {release.adoptionRate === null ? '–' : formatShare(release.adoptionRate)}
              </td>
              <td>
                <Link
                  to="/applications/$applicationId/crashes"
                  params={{ applicationId }}
                  search={{ version: release.version ?? release.shortVersion ?? undefined }}
                >
                  {formatCount(release.crashedCount, 'session')}
                  <span className="visually-hidden"> of {toReleaseText(release)}</span>
                </Link>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
