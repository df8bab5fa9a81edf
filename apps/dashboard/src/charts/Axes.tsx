import { chooseLabels, margin } from './chart-sizes.ts'

interface ValueAxisProps {
  ticks: readonly number[]
  width: number
  toY: (value: number) => number
  format: (value: number) => string
}

/** Lines across the chart with their values at the left. */
export function ValueAxis({ ticks, width, toY, format }: ValueAxisProps) {
  return (
    <g aria-hidden>
      {ticks.map((tick) => (
        <g key={tick}>
          <line x1={margin.left} x2={width - margin.right} y1={toY(tick)} y2={toY(tick)} />
          <text x={margin.left - 7} y={toY(tick) + 3.5} textAnchor="end">
            {format(tick)}
          </text>
        </g>
      ))}
    </g>
  )
}

interface NameAxisProps {
  names: readonly string[]
  width: number
  y: number
  toX: (place: number) => number
}

/** The names below the marks, as many as there is room for. */
export function NameAxis({ names, width, y, toX }: NameAxisProps) {
  const labelled = chooseLabels(names.length, width - margin.left - margin.right)
  return (
    <g aria-hidden>
      {names.map((name, place) => {
        if (!labelled.has(place)) return null
        const x = toX(place)
        const isNearEnd = x > width - 30
        return (
          <text key={place} x={isNearEnd ? width - 2 : x} y={y} textAnchor={isNearEnd ? 'end' : 'middle'}>
            {name}
          </text>
        )
      })}
    </g>
  )
}
