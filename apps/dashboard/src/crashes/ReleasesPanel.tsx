import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { SeriesColor } from '../charts/series-color.ts'
import { formatCount, formatDay } from '../ui/format.ts'
import { Panel } from '../ui/Panel.tsx'
import { formatCrashFree } from '../ui/rates.ts'
import { ShowMore, useParts } from '../ui/ShowMore.tsx'
import { Sparkline } from '../ui/Sparkline.tsx'
import { colorReleases, otherReleases } from './release-colors.ts'
import type { StabilityDay } from './stability-days.ts'
import { type ReleaseStability, sumReleases } from './stability-releases.ts'
import classes from './stability-table.module.css'

/** The panel shows this many releases at first, so that the charts below it are not pushed far down. */
const shownFirst = 8

interface ReleasesPanelProps {
  applicationId: number
  days: readonly StabilityDay[]
  environment: string
}

/** How stable each release was over the days, the newest release first, in one line each. */
export function ReleasesPanel({ applicationId, days, environment }: ReleasesPanelProps) {
  const releases = sumReleases(days)
  const colored = colorReleases(releases, ({ started }) => started)
  const { shown, more } = useParts(releases, { first: shownFirst })
  const [first, last] = [days[0], days.at(-1)]
  return (
    <Panel title="Releases">
      <Text size="sm" c="dimmed" mb="xs">
        Sessions of {environment}
        {first && last && `, ${formatDay(first.date)} – ${formatDay(last.date)}`}
      </Text>
      <div className={classes['scroll']}>
        <table className={classes['table']} aria-label="Crash-free sessions by release">
          <thead>
            <tr>
              <th scope="col">Release</th>
              <th scope="col">Crash-free</th>
              <th scope="col">Crashed sessions</th>
              <th scope="col">Crashed by day</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((release) => (
              <ReleaseRow
                key={release.name}
                applicationId={applicationId}
                release={release}
                color={colored.find((one) => one.release === release)?.color ?? otherReleases}
              />
            ))}
          </tbody>
        </table>
      </div>
      <ShowMore {...more} />
    </Panel>
  )
}

interface ReleaseRowProps {
  applicationId: number
  release: ReleaseStability
  /** The one that the chart of adoption has for the release. */
  color: SeriesColor
}

function ReleaseRow({ applicationId, release, color }: ReleaseRowProps) {
  const { name, rate, started, crashed, crashedByDay } = release
  const version = release.version ?? release.shortVersion ?? undefined
  return (
    <tr data-color={color}>
      <th scope="row">
        <span className="swatch">{name}</span>
      </th>
      <td>{rate === null ? 'No sessions' : formatCrashFree(rate)}</td>
      <td>
        <Link to="/applications/$applicationId/crashes" params={{ applicationId }} search={{ version }}>
          {crashed.toLocaleString('en')} of {started.toLocaleString('en')}
          <span className="visually-hidden"> sessions of {name}</span>
        </Link>
      </td>
      <td className={classes['trend']}>
        <Sparkline
          values={crashedByDay}
          label={`${formatCount(crashed, 'session')} crashed in ${formatCount(crashedByDay.length, 'day')}`}
        />
      </td>
    </tr>
  )
}
