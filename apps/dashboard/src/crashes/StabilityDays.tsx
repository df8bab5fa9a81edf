import type { Stability } from '@fairlead/contract'
import { formatDay } from '../ui/format.ts'
import { formatCrashFree } from '../ui/rates.ts'
import { ShowMore, useParts } from '../ui/ShowMore.tsx'
import { toReleaseText } from './release-text.ts'
import classes from './stability-table.module.css'

/** Every day of each release, which few people need and everybody can open. */
export function StabilityDays({ rows }: { rows: readonly Stability[] }) {
  const { shown, more } = useParts(rows)
  return (
    <details className={classes['days']}>
      <summary>Every day of each release</summary>
      <div className={classes['scroll']} tabIndex={0} role="region" aria-label="Days of releases">
        <table className={classes['table']} aria-label="Crash-free sessions by day and release">
          <thead>
            <tr>
              {['Day', 'Release', 'Crash-free', 'Sessions', 'Crashed'].map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{shown.map(toRow)}</tbody>
        </table>
      </div>
      <ShowMore {...more} />
    </details>
  )
}

function toRow(day: Stability) {
  const { date, startedCount, crashedCount, crashFreeRate } = day
  return (
    <tr key={`${date} ${day.environment} ${day.package} ${day.shortVersion} ${day.version}`}>
      <td>{formatDay(date)}</td>
      <th scope="row">{toReleaseText(day)}</th>
      <td>{crashFreeRate === null ? 'No sessions' : formatCrashFree(crashFreeRate)}</td>
      <td>{startedCount.toLocaleString('en')}</td>
      <td data-bad={crashedCount > 0}>{crashedCount.toLocaleString('en')}</td>
    </tr>
  )
}
