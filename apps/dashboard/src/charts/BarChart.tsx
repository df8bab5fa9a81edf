import { outOfRange, requireAt } from '@fairlead/invariant'
import { scaleBand, scaleLinear } from '@visx/scale'
import { Bar } from '@visx/shape'
import { NameAxis, ValueAxis } from './Axes.tsx'
import { countTicks, margin } from './chart-sizes.ts'
import { ChartFigure, type Series } from './ChartFigure.tsx'
import { ChartLink } from './ChartLink.tsx'
import type { ChartTableData } from './ChartTable.tsx'
import classes from './charts.module.css'

export interface ChartBar {
  key: string
  /** Stands below the bar. */
  name: string
  /** Says what the bar stands for. */
  text: string
  href: string
  /** The values of the series, from the bottom to the top. */
  values: readonly number[]
}

interface BarChartProps {
  label: string
  bars: readonly ChartBar[]
  series: readonly Series[]
  table: ChartTableData
  format: (value: number) => string
  height?: number
  /** Whether values have no fractions, so that the axis has none either. */
  isCount?: boolean
}

/** The height in pixels of the smallest part of a bar: in true proportion, one of a thousand would be invisible. */
const minPart = 2

/** Draws bars of stacked series; each bar is a link. */
export function BarChart({ label, bars, series, table, format, height = 170, isCount = false }: BarChartProps) {
  const top = Math.max(...bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0)), isCount ? 1 : 0)
  return (
    <ChartFigure label={label} height={height} series={series} table={table}>
      {({ width, onShow }) => {
        const base = height - margin.bottom
        const x = scaleBand({
          domain: bars.map(({ key }) => key),
          range: [margin.left, Math.max(width - margin.right, margin.left)],
          paddingInner: 0.25,
          paddingOuter: 0.1,
        })
        const y = scaleLinear({ domain: [0, top || 1], range: [base, margin.top], nice: countTicks(height) })
        const ticks = y.ticks(countTicks(height)).filter((tick: number) => !isCount || Number.isInteger(tick))
        const barWidth = Math.min(x.bandwidth(), 34)
        const toStart = (key: string) => x(key) ?? outOfRange()
        const toX = (key: string) => toStart(key) + (x.bandwidth() - barWidth) / 2
        return (
          <>
            <ValueAxis ticks={ticks} width={width} toY={y} format={format} />
            {bars.map((bar, place) => {
              let bottom = base
              return (
                <ChartLink
                  key={bar.key}
                  href={bar.href}
                  text={bar.text}
                  isFirst={place === bars.length - 1}
                  onShow={onShow}
                >
                  <Bar
                    className={classes['hit'] ?? ''}
                    x={toStart(bar.key)}
                    y={margin.top}
                    width={x.bandwidth()}
                    height={base - margin.top}
                  />
                  {bar.values.map((value, at) => {
                    if (value <= 0) return null
                    const part = Math.max(base - y(value), minPart)
                    bottom -= part
                    return (
                      <Bar
                        key={series[at]?.id}
                        data-color={series[at]?.color}
                        x={toX(bar.key)}
                        y={bottom}
                        width={barWidth}
                        height={part}
                        rx={1.5}
                      />
                    )
                  })}
                </ChartLink>
              )
            })}
            <NameAxis
              names={bars.map(({ name }) => name)}
              width={width}
              y={height - 7}
              toX={(place) => toX(requireAt(bars, place).key) + barWidth / 2}
            />
          </>
        )
      }}
    </ChartFigure>
  )
}
