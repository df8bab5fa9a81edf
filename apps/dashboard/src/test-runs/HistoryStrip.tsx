import type { Test } from '@fairlead/contract'
import { Stack, Text } from '@mantine/core'
import { formatCount } from '../ui/format.ts'
import { formatDuration, type ShownOutcome } from './test-name.ts'
import classes from './tests.module.css'

type Recent = Test['recent'][number]

/** Shows the last results of a test as one strip of cells for each environment, newest at the right. */
export function HistoryStrips({ recent }: { recent: Recent[] }) {
  const environments = Map.groupBy(recent, ({ environment }) => environment ?? '')
  return (
    <Stack gap="sm">
      {[...environments].map(([environment, results]) => (
        <div key={environment}>
          {(environment !== '' || environments.size > 1) && (
            <Text size="sm" fw={580} className="break">
              {environment === '' ? 'No environment' : environment}
            </Text>
          )}
          <Strip results={results} />
        </div>
      ))}
    </Stack>
  )
}

export function Strip({ results }: { results: Recent[] }) {
  return (
    <div className={`${classes['figure']} ${classes['colored']}`}>
      <div className={classes['strip']} role="img" aria-label={describe(results)}>
        {results.map((result, index) => (
          <span key={`${result.runId} ${index}`} data-outcome={toShown(result)} title={describeOne(result)} />
        ))}
      </div>
    </div>
  )
}

function toShown({ outcome, isFlaky }: Recent): ShownOutcome {
  return isFlaky ? 'flaky' : outcome
}

function describeOne(result: Recent): string {
  const duration = result.durationMs === null ? '' : `, ${formatDuration(result.durationMs)}`
  return `Run ${result.runId}: ${toShown(result)}${duration}`
}

function describe(results: Recent[]): string {
  const counts = [...Map.groupBy(results, toShown)].map(([outcome, some]) => `${some.length} ${outcome}`)
  const last = results.at(-1)
  return `Last ${formatCount(results.length, 'result')}: ${counts.join(', ')}${last ? `; newest ${toShown(last)}` : ''}`
}
