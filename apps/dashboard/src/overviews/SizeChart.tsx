import type { BuildSize } from '@fairlead/contract'
import { BarChart } from '../charts/BarChart.tsx'
import { formatBytes, formatDay } from '../ui/format.ts'
import { formatBytesChange } from './size-change.ts'

/** Draws the sizes of builds, oldest at the left. */
export function SizeChart({ sizes }: { sizes: readonly BuildSize[] }) {
  const rows = sizes.map((one, place) => {
    const before = sizes[place - 1]
    return { ...one, change: before ? formatBytesChange(one.size - before.size) : '' }
  })
  return (
    <BarChart
      label="Size over builds"
      height={160}
      format={formatBytes}
      series={[{ id: 'size', label: 'Size', color: 1 }]}
      bars={rows.map(({ buildId, shortVersion, version, size, change }) => ({
        key: String(buildId),
        name: version,
        text: `${shortVersion} (${version}): ${formatBytes(size)}${change === '' ? '' : `, ${change}`}`,
        href: `/builds/${buildId}`,
        values: [size],
      }))}
      table={{
        columns: ['Build', 'Size', 'Change', 'Uploaded'],
        rows: rows.map(({ buildId, shortVersion, version, size, change, uploadedDate }) => ({
          key: String(buildId),
          cells: [`${shortVersion} (${version})`, formatBytes(size), change, formatDay(uploadedDate)],
        })),
      }}
    />
  )
}
