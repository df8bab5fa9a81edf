import { requireKey } from '@fairlead/invariant'
import { formatAxisDay } from '../charts/axis-day.ts'
import { LineChart } from '../charts/LineChart.tsx'
import { formatCrashFree, formatShare } from '../ui/rates.ts'
import { formatCount } from '../ui/format.ts'
import { Panel } from '../ui/Panel.tsx'
import { colorReleases } from './release-colors.ts'
import { toReleaseText } from './release-text.ts'
import type { StabilityDay } from './stability-days.ts'
import { sumReleases } from './stability-releases.ts'

/** Draws crash-free sessions, and the adoption of the releases with most sessions, by day. */
export function StabilityCharts({ applicationId, days }: { applicationId: number; days: readonly StabilityDay[] }) {
  const firstDates = new Map<string, string>()
  for (const row of days.flatMap(({ rows }) => rows)) {
    const name = toReleaseText(row)
    const known = firstDates.get(name)
    if (known === undefined || row.date < known) firstDates.set(name, row.date)
  }
  const colored = colorReleases(sumReleases(days), ({ started }) => started)
  const releases = colored.map(({ release }) => release.name)
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
          series={colored.map(({ release: { name }, color }) => ({ id: name, label: name, color }))}
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

function sumAdoption({ rows }: StabilityDay, release: string): number | null {
  const rates = rows.flatMap((row) => (toReleaseText(row) === release ? (row.adoptionRate ?? []) : []))
  return rates.length === 0 ? null : rates.reduce((sum, rate) => sum + rate, 0)
}

function describeDay({ date, rate, started, crashed }: StabilityDay): string {
  if (rate === null) return `${formatAxisDay(date)}: no sessions`
  const sessions = `${crashed} of ${formatCount(started, 'session')} crashed`
  return `${formatAxisDay(date)}: ${formatCrashFree(rate)} crash-free, ${sessions}`
}

function toShortName(release: string): string {
  return release.replace(/ \(.*\)$/, '')
}
