import type { ApplicationOverview } from '@fairlead/contract'
import { LineChart } from '../charts/LineChart.tsx'
import { toReleaseText } from '../crashes/release-text.ts'
import { formatCount } from '../ui/format.ts'
import { formatAxisDay } from '../charts/axis-day.ts'
import { formatCrashFree } from '../ui/rates.ts'

interface CrashFreeChartProps {
  applicationId: number
  stability: ApplicationOverview['stability']
}

/** Draws crash-free sessions by day, with a mark where a release was first seen. A day links to its crashes. */
export function CrashFreeChart({ applicationId, stability: { days, releases } }: CrashFreeChartProps) {
  const rates = days.flatMap(({ crashFreeRate }) => crashFreeRate ?? [])
  const low = Math.min(...rates, 0.99)
  const describe = ({ date, crashFreeRate: rate, startedCount, crashedCount }: (typeof days)[number]) => {
    if (rate === null) return `${formatAxisDay(date)}: no sessions`
    const sessions = `${crashedCount} of ${formatCount(startedCount, 'session')} crashed`
    return `${formatAxisDay(date)}: ${formatCrashFree(rate)} crash-free, ${sessions}`
  }
  return (
    <LineChart
      label="Crash-free sessions by day"
      height={180}
      domain={[Math.floor(low * 100 - 0.5) / 100, 1]}
      format={formatCrashFree}
      series={[{ id: 'rate', label: 'Crash-free sessions', color: 1 }]}
      marks={releases.flatMap((release) => {
        const date = release.firstSeenDate.slice(0, 10)
        return days.some((day) => day.date === date)
          ? [{ key: date, label: release.shortVersion ?? release.version ?? '' }]
          : []
      })}
      points={days.map((day) => ({
        key: day.date,
        name: formatAxisDay(day.date),
        text: describe(day),
        href: `/applications/${applicationId}/crashes?date=${day.date}`,
        values: [day.crashFreeRate],
      }))}
      table={{
        columns: ['Day', 'Crash-free', 'Sessions', 'Crashed', 'New releases'],
        rows: days.map((day) => ({
          key: day.date,
          cells: [
            formatAxisDay(day.date),
            day.crashFreeRate === null ? '–' : formatCrashFree(day.crashFreeRate),
            day.startedCount,
            day.crashedCount,
            releases
              .filter(({ firstSeenDate }) => firstSeenDate.slice(0, 10) === day.date)
              .map(toReleaseText)
              .join(', '),
          ],
        })),
      }}
    />
  )
}
