import type { InstallStatistics } from '@fairlead/contract'
import { formatCount, formatDay } from '../ui/format.ts'
import { ChartTable } from '../charts/ChartTable.tsx'
import { useWidth } from '../charts/use-width.ts'
import classes from './install-chart.module.css'

const height = 150
const labelWidth = 56
const margin = { left: 28, right: 4, top: 10, bottom: 22 }

/**
 * Draws installs per day as bars, by the way that they took, with a table of the same numbers. The bars are no links:
 * no page lists the installs of a day.
 */
export function InstallChart({ days }: { days: InstallStatistics['days'] }) {
  const [ref, width] = useWidth()
  const top = toRoundTop(Math.max(...days.map(({ installs, downloads }) => installs + downloads), 0))
  const step = Math.max(width - margin.left - margin.right, 0) / Math.max(days.length, 1)
  const barWidth = Math.min(step * 0.72, 26)
  const base = height - margin.bottom
  const toHeight = (count: number) => (count / top) * (base - margin.top)
  const labelEvery = Math.max(1, Math.ceil(labelWidth / step))
  return (
    <figure className={classes['root']} ref={ref}>
      <svg width={width} height={height} className={classes['chart']} aria-hidden>
        {[0, top / 2, top].map((value) => (
          <g key={value}>
            <line x1={margin.left} x2={width} y1={base - toHeight(value)} y2={base - toHeight(value)} />
            {Number.isInteger(value) && (
              <text x={margin.left - 6} y={base - toHeight(value) + 3.5} textAnchor="end">
                {value}
              </text>
            )}
          </g>
        ))}
        {days.map(({ date, installs, downloads }, index) => {
          const x = margin.left + step * index + (step - barWidth) / 2
          const installsHeight = toHeight(installs)
          const downloadsHeight = toHeight(downloads)
          return (
            <g key={date}>
              <title>{`${formatDay(date)}: ${describeDay(installs, downloads)}`}</title>
              <rect className={classes['day']} x={margin.left + step * index} y={0} width={step} height={base} />
              <rect
                className={classes['installs']}
                x={x}
                y={base - installsHeight}
                width={barWidth}
                height={installsHeight}
              />
              <rect
                className={classes['downloads']}
                x={x}
                y={base - installsHeight - downloadsHeight}
                width={barWidth}
                height={downloadsHeight}
              />
              {index % labelEvery === 0 && x + labelWidth / 2 <= width && (
                <text x={margin.left + step * index + step / 2} y={height - 6} textAnchor="middle">
                  {formatAxisDay(date)}
                </text>
              )}
            </g>
          )
        })}
      </svg>
      <figcaption className={classes['legend']}>
        <span data-kind="installs">Installs by the system’s installer</span>
        <span data-kind="downloads">Installs from a downloaded file</span>
      </figcaption>
      <ChartTable
        table={{
          columns: ['Day', 'By the system’s installer', 'From a downloaded file'],
          rows: days
            .filter(({ installs, downloads }) => installs + downloads > 0)
            .map(({ date, installs, downloads }) => ({ key: date, cells: [formatDay(date), installs, downloads] })),
        }}
      />
    </figure>
  )
}

function describeDay(installs: number, downloads: number): string {
  const all = formatCount(installs + downloads, 'install')
  return downloads === 0 ? all : `${all}, ${downloads} of them from a downloaded file`
}

const axisDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

function formatAxisDay(date: string): string {
  return axisDay.format(new Date(date))
}

/** Rounds up to 4, 10, 20, 40, 100, …, so that the middle of the axis is a whole number too. */
function toRoundTop(highest: number): number {
  for (let power = 1; ; power *= 10) {
    for (const top of [power * 2, power * 4, power * 10]) {
      if (top >= Math.max(highest, 4)) return top
    }
  }
}
