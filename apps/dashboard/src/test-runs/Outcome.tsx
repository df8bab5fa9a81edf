import type { TestCounts } from '@fairlead/contract'
import { formatCount } from '../ui/format.ts'
import { type ShownOutcome, toParts } from './test-name.ts'
import classes from './tests.module.css'

/** Draws a bar whose parts are in proportion to the numbers of cases. */
export function CountsBar({ counts }: { counts: TestCounts }) {
  return (
    <figure className={`${classes['figure']} ${classes['colored']}`}>
      <div className={classes['bar']} aria-hidden>
        {toParts(counts).map(
          ([outcome, count]) => count > 0 && <span key={outcome} data-outcome={outcome} style={{ flexGrow: count }} />,
        )}
      </div>
      <figcaption className={classes['legend']}>
        {toParts(counts).map(([outcome, count]) => (
          <span key={outcome} data-outcome={outcome}>
            {count} {outcome}
          </span>
        ))}
        {formatCount(counts.cases, 'case')}
      </figcaption>
    </figure>
  )
}

/** Draws a dot in the colour of an outcome. The caller writes the word beside it, because not everyone sees colours. */
export function OutcomeDot({ outcome }: { outcome: ShownOutcome }) {
  return (
    <span className={classes['colored']} style={{ flex: 'none' }} aria-hidden>
      <span className={classes['dot']} data-outcome={outcome} />
    </span>
  )
}
