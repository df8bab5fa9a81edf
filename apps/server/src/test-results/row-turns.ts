/** Work on many rows in JavaScript, in turns of the event loop with other requests. */
import { setImmediate } from 'node:timers/promises'

/** How many rows one turn works on. A thousand take about a millisecond. */
export const rowsPerTurn = 5000

/** Calls a function for each row, and yields between turns. */
export function* eachInTurns<Row>(rows: Iterable<Row>, work: (row: Row, index: number) => void): Generator<void> {
  let index = 0
  for (const row of rows) {
    work(row, index)
    index++
    if (index % rowsPerTurn === 0) yield
  }
}

/** Runs work to its end. Whatever is waiting in the event loop has its turn each time that the work yields. */
export async function runInTurns<Result>(work: Generator<void, Result>): Promise<Result> {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    await setImmediate()
  }
}
