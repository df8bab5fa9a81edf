import { outOfRange, requireAt } from '@fairlead/invariant'
import { scaleLinear, scalePoint } from '@visx/scale'
import { Bar, LinePath } from '@visx/shape'
import { NameAxis, ValueAxis } from './Axes.tsx'
import { countTicks, margin } from './chart-sizes.ts'
import { ChartFigure, type Series } from './ChartFigure.tsx'
import { ChartLink } from './ChartLink.tsx'
import type { ChartTableData } from './ChartTable.tsx'
import { type ChartMark, placeMarks } from './place-marks.ts'
import classes from './charts.module.css'

export interface ChartPoint {
  key: string
  /** Stands below the points of this place. */
  name: string
  text: string
  href: string
  /** The value of each series; null where there is none, which interrupts its line. */
  values: readonly (number | null)[]
}

interface LineChartProps {
  label: string
  points: readonly ChartPoint[]
  series: readonly Series[]
  /** Vertical lines, such as releases. */
  marks?: readonly ChartMark[]
  table: ChartTableData
  format: (value: number) => string
  /** The ends of the axis; without them those of the values. */
  domain?: readonly [number, number]
  height?: number
}

/** Draws a line for each series over places such as days; each place is a link. */
export function LineChart(props: LineChartProps) {
  const { label, points, series, marks = [], table, format, domain, height = 190 } = props
  const values = points.flatMap((point) => point.values.filter((value) => value !== null))
  const [low, high] = domain ?? [Math.min(...values), Math.max(...values)]
  return (
    <ChartFigure label={label} height={height} series={series} table={table}>
      {({ width, onShow }) => {
        const base = height - margin.bottom
        const keys = points.map(({ key }) => key)
        const x = scalePoint({ domain: keys, range: [margin.left, Math.max(width - margin.right, 0)], padding: 0.5 })
        const y = scaleLinear({ domain: [low, high], range: [base, margin.top + 8] })
        const toX = (key: string) => x(key) ?? outOfRange()
        return (
          <>
            <ValueAxis ticks={y.ticks(countTicks(height))} width={width} toY={y} format={format} />
            {placeMarks(marks, toX, width).map(({ key, x: at, label: name, row, isLeftOfLine }) => (
              <g key={key} className={classes['mark']} aria-hidden>
                <line x1={at} x2={at} y1={margin.top} y2={base} />
                {name !== null && (
                  <text
                    x={at + (isLeftOfLine ? -4 : 4)}
                    y={margin.top + 4 + row * 11}
                    textAnchor={isLeftOfLine ? 'end' : 'start'}
                  >
                    {name}
                  </text>
                )}
              </g>
            ))}
            {series.map((one, at) => (
              <LinePath
                key={one.id}
                data-color={one.color}
                className={classes['line'] ?? ''}
                data={[...points]}
                defined={(point) => point.values[at] !== null && point.values[at] !== undefined}
                x={(point) => toX(point.key)}
                y={(point) => y(point.values[at] ?? 0)}
              />
            ))}
            {points.map((point, place) => (
              <ChartLink
                key={point.key}
                href={point.href}
                text={point.text}
                isFirst={place === points.length - 1}
                onShow={onShow}
              >
                <Bar
                  className={classes['hit'] ?? ''}
                  x={toX(point.key) - x.step() / 2}
                  y={margin.top}
                  width={Math.max(x.step(), 1)}
                  height={base - margin.top}
                />
                {point.values.map(
                  (value, at) =>
                    value !== null && (
                      <circle
                        key={series[at]?.id}
                        data-color={series[at]?.color}
                        cx={toX(point.key)}
                        cy={y(value)}
                        r={3}
                      />
                    ),
                )}
              </ChartLink>
            ))}
            <NameAxis
              names={points.map(({ name }) => name)}
              width={width}
              y={height - 7}
              toX={(place) => toX(requireAt(keys, place))}
            />
          </>
        )
      }}
    </ChartFigure>
  )
}
