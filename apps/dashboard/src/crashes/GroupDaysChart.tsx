import type { CrashGroupStatistics } from '@fairlead/contract'
import { formatAxisDay } from '../charts/axis-day.ts'
import { BarChart } from '../charts/BarChart.tsx'
import { formatCount } from '../ui/format.ts'
import { colorReleases, otherReleases } from './release-colors.ts'
import { toReleaseText } from './release-text.ts'

const maxDays = 30

interface GroupDaysChartProps {
  applicationId: number
  crashGroupId: number
  statistics: CrashGroupStatistics
}

/** Draws the crashes of a group by day and version. A day links to its crashes. */
export function GroupDaysChart({ applicationId, crashGroupId, statistics }: GroupDaysChartProps) {
  const { releases, days } = statistics
  const named = colorReleases(releases, ({ count }) => count)
  const counts = new Map(days.map(({ date, count }) => [date, count]))
  const dates = Array.from({ length: maxDays }, (_, place) =>
    new Date(Date.now() - (maxDays - 1 - place) * 86_400_000).toISOString().slice(0, 10),
  )
  const rows = dates.map((date) => {
    const ofReleases = named.map(({ release }) => release.days.find((day) => day.date === date)?.count ?? 0)
    const total = counts.get(date) ?? 0
    const others = Math.max(0, total - ofReleases.reduce((sum, count) => sum + count, 0))
    return { date, total, values: [...ofReleases, others] }
  })
  const names = [...named.map(({ release }) => toReleaseText(release)), 'other versions']
  const hasOthers = rows.some(({ values }) => (values.at(-1) ?? 0) > 0)
  const describe = ({ date, total, values }: (typeof rows)[number]) => {
    const parts = values.flatMap((count, place) => (count > 0 ? [`${count} of ${names[place]}`] : []))
    const text = `${formatAxisDay(date)}: ${formatCount(total, 'crash', 'crashes')}`
    return parts.length > 0 ? `${text}, ${parts.join(', ')}` : text
  }
  return (
    <BarChart
      label="Crashes by day and version"
      isCount
      format={String}
      series={names
        .map((label, place) => ({ id: label, label, color: named[place]?.color ?? otherReleases }))
        .slice(0, hasOthers ? undefined : -1)}
      bars={rows.map((row) => ({
        key: row.date,
        name: formatAxisDay(row.date),
        text: describe(row),
        href: `/applications/${applicationId}/crashes/${crashGroupId}?date=${row.date}`,
        values: hasOthers ? row.values : row.values.slice(0, -1),
      }))}
      table={{
        columns: ['Day', 'Crashes', ...(hasOthers ? names : names.slice(0, -1))],
        rows: rows
          .filter(({ total }) => total > 0)
          .map(({ date, total, values }) => ({
            key: date,
            cells: [formatAxisDay(date), total, ...(hasOthers ? values : values.slice(0, -1))],
          })),
      }}
    />
  )
}
