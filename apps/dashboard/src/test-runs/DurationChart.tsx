import type { Test } from '@fairlead/contract'
import { Link } from '@tanstack/react-router'
import { useWidth } from '../charts/use-width.ts'
import { formatDuration } from './test-name.ts'
import classes from './tests.module.css'

const height = 120
const margin = { left: 52, right: 6, top: 10, bottom: 8 }

type DurationChartProps = Pick<Test, 'applicationId' | 'recent' | 'p95Ms'>

/**
 * Draws how long the last results took as dots that lead to their runs, with a line at the 95th percentile. The list
 * of results has the same links for the keyboard and for screen readers.
 */
export function DurationChart({ applicationId, recent, p95Ms }: DurationChartProps) {
  const [ref, width] = useWidth()
  const ran = recent.flatMap(({ durationMs, ...result }) =>
    durationMs === null || result.outcome === 'skipped' ? [] : [{ ...result, durationMs }],
  )
  const longest = Math.max(...ran.map(({ durationMs }) => durationMs), p95Ms ?? 0, 1)
  const base = height - margin.bottom
  const toY = (ms: number) => base - (ms / longest) * (base - margin.top)
  const step = Math.max(width - margin.left - margin.right, 0) / Math.max(ran.length, 1)
  return (
    <figure className={`${classes['figure']} ${classes['colored']}`} ref={ref}>
      <svg width={width} height={height} className={classes['chart']} aria-hidden>
        {[0, longest].map((ms) => (
          <g key={ms}>
            <line x1={margin.left} x2={width} y1={toY(ms)} y2={toY(ms)} />
            <text x={margin.left - 6} y={toY(ms) + 3.5} textAnchor="end">
              {formatDuration(ms)}
            </text>
          </g>
        ))}
        {p95Ms !== null && <path d={`M${margin.left} ${toY(p95Ms)}H${width}`} strokeDasharray="4 3" />}
        {ran.map(({ runId, durationMs, outcome, isFlaky }, index) => (
          <Link
            key={`${runId} ${index}`}
            to="/applications/$applicationId/tests/runs/$testRunId"
            params={{ applicationId, testRunId: runId }}
            tabIndex={-1}
          >
            <circle
              data-outcome={isFlaky ? 'flaky' : outcome}
              cx={margin.left + step * (index + 0.5)}
              cy={toY(durationMs)}
              r={3}
            >
              <title>{`Run ${runId}: ${formatDuration(durationMs)}, ${outcome}`}</title>
            </circle>
          </Link>
        ))}
      </svg>
      <figcaption className={classes['legend']}>
        {p95Ms === null ? 'No durations are known.' : `95 of 100 results take at most ${formatDuration(p95Ms)}.`}
      </figcaption>
    </figure>
  )
}
