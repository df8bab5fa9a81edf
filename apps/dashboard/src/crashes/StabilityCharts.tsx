import type { Stability } from '@fairlead/contract'
import { requireKey } from '@fairlead/invariant'
import { formatAxisDay } from '../charts/axis-day.ts'
import type { SeriesColor } from '../charts/ChartFigure.tsx'
import { LineChart } from '../charts/LineChart.tsx'
import { formatCrashFree, formatShare } from '../ui/rates.ts'
import { formatCount } from '../ui/format.ts'
import { Panel } from '../ui/Panel.tsx'
import { toReleaseText } from './release-text.ts'

const maxDays = 30
const colors: readonly SeriesColor[] = [1, 2, 3, 4, 5]

interface Day {
  date: string
  rows: readonly Stability[]
  started: number
  crashed: number
  rate: number | null
}

/** Draws crash-free sessions, and the adoption of the releases with most sessions, by day. */
export function StabilityCharts({ applicationId, rows }: { applicationId: number; rows: readonly Stability[] }) {
  const days = toDays(rows)
  const firstDates = new Map<string, string>()
  for (const row of rows) {
    const name = toReleaseText(row)
    const known = firstDates.get(name)
    if (known === undefined || row.date < known) firstDates.set(name, row.date)
  }
  const releases = listBusiest(days)
  const marks = releases.flatMap((release) => {
    const date = requireKey(firstDates, release)
    // Releases that exist on the first day get no mark, since the chart cannot show whether they began on it.
    return days.some((day, place) => place > 0 && day.date === date) ? [{ key: date, label: toShortName(release) }] : []
  })
  const toHref = (date: string) => `/applications/${applicationId}/crashes?date=${date}`
  const lowest = Math.min(0.99, ...days.flatMap(({ rate }) => rate ?? []))
  return (
    <>
      <Panel title="Crash-free sessions">
        <LineChart
          label="Crash-free sessions by day"
          domain={[Math.floor(lowest * 100 - 0.5) / 100, 1]}
          format={formatCrashFree}
          series={[{ id: 'rate', label: 'Crash-free sessions', color: 1 }]}
          marks={marks}
          points={days.map((day) => ({
            key: day.date,
            name: formatAxisDay(day.date),
            text: describeDay(day),
            href: toHref(day.date),
            values: [day.rate],
          }))}
          table={{
            columns: ['Day', 'Crash-free', 'Sessions', 'Crashed'],
            rows: days.map((day) => ({
              key: day.date,
              cells: [
                formatAxisDay(day.date),
                day.rate === null ? '–' : formatCrashFree(day.rate),
                day.started,
                day.crashed,
              ],
            })),
          }}
        />
      </Panel>
      <Panel title="Adoption">
        <LineChart
          label="Adoption of releases by day, as their share of the installs"
          domain={[0, 1]}
          format={formatShare}
          series={releases.map((release, place) => ({ id: release, label: release, color: colors[place] ?? 6 }))}
          marks={marks}
          points={days.map((day) => {
            const values = releases.map((release) => sumAdoption(day, release))
            const parts = releases.flatMap((release, place) => {
              const value = values[place]
              return value === null || value === undefined ? [] : [`${release} ${formatShare(value)}`]
            })
            return {
              key: day.date,
              name: formatAxisDay(day.date),
              text: `${formatAxisDay(day.date)}: ${parts.length === 0 ? 'no sessions' : parts.join(', ')}`,
              href: toHref(day.date),
              values,
            }
          })}
          table={{
            columns: ['Day', ...releases],
            rows: days.map((day) => ({
              key: day.date,
              cells: [
                formatAxisDay(day.date),
                ...releases.map((release) => {
                  const value = sumAdoption(day, release)
                  return value === null ? '–' : formatShare(value)
                }),
              ],
            })),
          }}
        />
      </Panel>
    </>
  )
}

/** Every day from the first of the newest 30 to the newest, those without sessions as well, oldest first. */
function toDays(rows: readonly Stability[]): Day[] {
  const byDate = Map.groupBy(rows, ({ date }) => date)
  const newest = [...byDate.keys()].toSorted().at(-1)
  if (newest === undefined) return []
  const oldest = [...byDate.keys()].toSorted()[0] ?? newest
  const days: Day[] = []
  for (let age = maxDays - 1; age >= 0; age--) {
    const date = new Date(Date.parse(newest) - age * 86_400_000).toISOString().slice(0, 10)
    if (date < oldest) continue
    const ofDay = byDate.get(date) ?? []
    const started = ofDay.reduce((sum, row) => sum + row.startedCount, 0)
    const crashed = ofDay.reduce((sum, row) => sum + row.crashedCount, 0)
    days.push({ date, rows: ofDay, started, crashed, rate: started === 0 ? null : Math.max(0, 1 - crashed / started) })
  }
  return days
}

/** The releases with most sessions of these days. */
function listBusiest(days: readonly Day[]): string[] {
  const sums = new Map<string, number>()
  for (const { rows } of days) {
    for (const row of rows) sums.set(toReleaseText(row), (sums.get(toReleaseText(row)) ?? 0) + row.startedCount)
  }
  const ordered = [...sums].toSorted(([, one], [, other]) => other - one)
  return ordered.slice(0, colors.length).map(([release]) => release)
}

function sumAdoption({ rows }: Day, release: string): number | null {
  const rates = rows.flatMap((row) => (toReleaseText(row) === release ? (row.adoptionRate ?? []) : []))
  return rates.length === 0 ? null : rates.reduce((sum, rate) => sum + rate, 0)
}

function describeDay({ date, rate, started, crashed }: Day): string {
  if (rate === null) return `${formatAxisDay(date)}: no sessions`
  const sessions = `${crashed} of ${formatCount(started, 'session')} crashed`
  return `${formatAxisDay(date)}: ${formatCrashFree(rate)} crash-free, ${sessions}`
}

function toShortName(release: string): string {
  return release.replace(/ \(.*\)$/, '')
}
