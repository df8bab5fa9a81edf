import type { TestRun } from '@fairlead/contract'
import { Text } from '@mantine/core'
import { BarChart } from '../charts/BarChart.tsx'
import { LineChart } from '../charts/LineChart.tsx'
import { formatDay, formatInstant } from '../ui/format.ts'
import classes from './runs-charts.module.css'
import { describeCounts, formatDuration, toRunName } from './test-name.ts'

/** Charts show this many of the newest runs. */
const maxRuns = 30

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })
const formatShare = (share: number) => percent.format(share)
const formatCount = String

/** Draws failures, rates and durations of the newest runs, oldest at the left, each on its own scale. */
export function RunsCharts({ runs }: { runs: readonly TestRun[] }) {
  const shown = runs
    .filter(({ counts }) => counts.cases > 0)
    .slice(0, maxRuns)
    .toReversed()
  if (shown.length < 2) return null
  const timed = shown.filter(({ durationMs }) => durationMs !== null)
  return (
    <div className={classes['charts']}>
      <section>
        <Text size="sm" fw={580} component="h2">
          Failures per run
        </Text>
        <Failures runs={shown} />
      </section>
      <section>
        <Text size="sm" fw={580} component="h2">
          Pass and flake rate
        </Text>
        <Rates runs={shown} />
      </section>
      {timed.length > 1 && (
        <section>
          <Text size="sm" fw={580} component="h2">
            Duration of the tests
          </Text>
          <Durations runs={timed} />
        </section>
      )}
    </div>
  )
}

function Failures({ runs }: { runs: readonly TestRun[] }) {
  return (
    <BarChart
      label="Failed and flaky cases per run"
      height={150}
      isCount
      format={formatCount}
      series={[
        { id: 'failed', label: 'failed', color: 'failed' },
        { id: 'flaky', label: 'flaky', color: 'flaky' },
      ]}
      bars={runs.map((run) => ({
        ...toPlace(run),
        text: `${toRunName(run)}, ${formatInstant(run.createdDate)}: ${describeCounts(run.counts)}`,
        values: [run.counts.failed, run.counts.flaky],
      }))}
      table={{
        columns: ['Run', 'Date', 'Failed', 'Flaky', 'Cases'],
        rows: runs.map((run) => ({
          key: String(run.id),
          cells: [
            toRunName(run),
            formatInstant(run.createdDate),
            run.counts.failed,
            run.counts.flaky,
            run.counts.cases,
          ],
        })),
      }}
    />
  )
}

function Rates({ runs }: { runs: readonly TestRun[] }) {
  const rated = runs.map((run) => {
    const { passed, failed, flaky } = run.counts
    const ran = passed + failed
    // As everywhere, a flaky case is not counted among the passed ones too.
    return { run, pass: ran === 0 ? null : (passed - flaky) / ran, flake: ran === 0 ? null : flaky / ran }
  })
  const toText = (share: number | null) => (share === null ? 'nothing ran' : formatShare(share))
  return (
    <LineChart
      label="Pass and flake rate per run"
      height={150}
      domain={[0, 1]}
      format={formatShare}
      series={[
        { id: 'pass', label: 'passed', color: 'passed' },
        { id: 'flake', label: 'flaky', color: 'flaky' },
      ]}
      points={rated.map(({ run, pass, flake }) => ({
        ...toPlace(run),
        text: `${toRunName(run)}: ${toText(pass)} passed, ${toText(flake)} flaky`,
        values: [pass, flake],
      }))}
      table={{
        columns: ['Run', 'Passed', 'Flaky'],
        rows: rated.map(({ run, pass, flake }) => ({
          key: String(run.id),
          cells: [toRunName(run), toText(pass), toText(flake)],
        })),
      }}
    />
  )
}

function Durations({ runs }: { runs: readonly TestRun[] }) {
  const longest = Math.max(...runs.map(({ durationMs }) => durationMs ?? 0))
  // The axis counts in this unit, so that its marks are round.
  const unit = units.find(({ ms }) => longest >= ms) ?? smallestUnit
  return (
    <BarChart
      label="Duration of all cases per run"
      height={150}
      format={(value) => `${value} ${unit.name}`}
      series={[{ id: 'duration', label: 'duration', color: 1 }]}
      bars={runs.map((run) => ({
        ...toPlace(run),
        text: `${toRunName(run)}: ${formatDuration(run.durationMs ?? 0)}`,
        values: [(run.durationMs ?? 0) / unit.ms],
      }))}
      table={{
        columns: ['Run', 'Duration'],
        rows: runs.map((run) => ({
          key: String(run.id),
          cells: [toRunName(run), formatDuration(run.durationMs ?? 0)],
        })),
      }}
    />
  )
}

const smallestUnit = { name: 'ms', ms: 1 }
const units = [{ name: 'h', ms: 3_600_000 }, { name: 'min', ms: 60_000 }, { name: 's', ms: 1000 }, smallestUnit]

function toPlace({ id, applicationId, createdDate }: TestRun) {
  return {
    key: String(id),
    name: formatDay(createdDate).replace(/ \d{4}$/, ''),
    href: `/applications/${applicationId}/tests/runs/${id}`,
  }
}
