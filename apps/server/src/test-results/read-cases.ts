/** Reads the cases of a report for the database, in batches. */
import { setImmediate } from 'node:timers/promises'
import { type Details, listCases, type ReportSummary } from '@fairlead/reports'
import { groupCase } from './group-case.ts'
import type { GroupedCase } from './grouped-case.ts'

/** How long failures are grouped in one turn of the event loop, in milliseconds. */
const turnMs = 8

/** Joins and cuts batches, so that all but the last have `size` items: each transaction has a cost of its own. */
export async function* cutBatches<Item>(batches: AsyncIterable<Item[]>, size: number): AsyncGenerator<Item[]> {
  let waiting: Item[] = []
  for await (const batch of batches) {
    waiting = waiting.concat(batch)
    let start = 0
    for (; waiting.length - start >= size; start += size) yield waiting.slice(start, start + size)
    waiting = waiting.slice(start)
  }
  if (waiting.length > 0) yield waiting
}

/**
 * Reads the cases with the groups of their failures, in turns with other requests. `details` stays readable after its
 * file was moved into the blob store.
 */
export async function* readCases(summary: ReportSummary, details: Details | undefined): AsyncGenerator<GroupedCase[]> {
  let turnStartedAt = performance.now()
  for (const batch of listCases(summary.casesPath)) {
    const grouped: GroupedCase[] = []
    for (const testCase of batch) {
      const steps = groupCase(testCase, details)
      for (let step = steps.next(); ; step = steps.next()) {
        if (performance.now() - turnStartedAt >= turnMs) {
          await setImmediate()
          turnStartedAt = performance.now()
        }
        if (step.done !== true) continue
        grouped.push(step.value)
        break
      }
    }
    yield grouped
    turnStartedAt = performance.now()
  }
}
