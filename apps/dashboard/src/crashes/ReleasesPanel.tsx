import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { formatCount, formatDay } from '../ui/format.ts'
import { Panel } from '../ui/Panel.tsx'
import { formatCrashFree } from '../ui/rates.ts'
import { ShowMore, useParts } from '../ui/ShowMore.tsx'
import { Sparkline } from '../ui/Sparkline.tsx'
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
  const { shown, more } = useParts(sumReleases(days), { first: shownFirst })
  const [first, last] = [days[0], days.at(-1)]
  return (
    <Panel title="Releases">
      <Text size="sm" c="dimmed" mb="xs">
        Sessions of {environment}
        {first && last && `, ${formatDay(first.date)} – ${formatDay(last.date)}`}
      </Text>
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
            <ReleaseRow key={release.name} applicationId={applicationId} release={release} />
          ))}
        </tbody>
      </table>
      <ShowMore {...more} />
    </Panel>
  )
}

function ReleaseRow({ applicationId, release }: { applicationId: number; release: ReleaseStability }) {
  const { name, version, rate, started, crashed, crashedByDay } = release
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{rate === null ? 'No sessions' : formatCrashFree(rate)}</td>
      <td>
        <Link to="/applications/$applicationId/crashes" params={{ applicationId }} search={{ version }}>
          {crashed.toLocaleString('en')} of {started.toLocaleString('en')}
          <span className={classes['hidden']}> sessions of {name}</span>
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
