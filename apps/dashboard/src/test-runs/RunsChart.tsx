import type { TestRun } from '@fairlead/contract'
import { useElementSize } from '@mantine/hooks'
import { formatInstant } from '../ui/format.ts'
import { describeCounts, toParts } from './Outcome.tsx'
import { toRunName } from './test-name.ts'
import classes from './tests.module.css'

const height = 110
const margin = { left: 40, top: 8 }
/** The height in pixels of the smallest part of a bar: in true proportion, few failures of many would be invisible. */
const minPart = 2

/** Draws the cases of the newest runs as stacked bars, oldest at the left. The list below says the same in words. */
export function RunsChart({ runs }: { runs: TestRun[] }) {
  const { ref, width } = useElementSize<HTMLElement>()
  const shown = runs.slice(0, Math.max(4, Math.floor((width - margin.left) / 12))).toReversed()
  const top = Math.max(...shown.map(({ counts }) => counts.cases), 1)
  const step = Math.min(Math.max(width - margin.left, 0) / Math.max(shown.length, 1), 28)
  const barWidth = Math.max(step - 3, 2)
  const scale = (height - margin.top - 1) / top
  return (
    <figure className={`${classes['figure']} ${classes['colored']}`} ref={ref}>
      <svg width={width} height={height} className={classes['chart']} aria-hidden>
        <text x={margin.left - 6} y={margin.top + 8} textAnchor="end">
          {top}
        </text>
        <text x={margin.left - 6} y={height - 2} textAnchor="end">
          0
        </text>
        <line x1={margin.left} x2={width} y1={height - 0.5} y2={height - 0.5} />
        {shown.map((run, index) => (
          <Bar key={run.id} run={run} x={margin.left + index * step} step={step} width={barWidth} scale={scale} />
        ))}
      </svg>
      <figcaption className={classes['legend']}>
        <span data-outcome="passed">passed</span>
        <span data-outcome="flaky">flaky</span>
        <span data-outcome="failed">failed</span>
        <span data-outcome="skipped">skipped</span>
      </figcaption>
    </figure>
  )
}

function Bar({ run, x, step, width, scale }: { run: TestRun; x: number; step: number; width: number; scale: number }) {
  let y = height - 1
  return (
    <g>
      <title>{`${toRunName(run)}, ${formatInstant(run.createdDate)}: ${describeCounts(run.counts)}`}</title>
      <rect className={classes['hit']} x={x} y={0} width={step} height={height} />
      {toParts(run.counts).map(([outcome, count]) => {
        if (count === 0) return null
        const part = Math.max(count * scale, minPart)
        y -= part
        return <rect key={outcome} data-outcome={outcome} x={x} y={y} width={width} height={part} />
      })}
    </g>
  )
}
