import type { Test } from '@fairlead/contract'
import type { MonthOfTest } from './duration-store.ts'

export function toMonths(months: MonthOfTest[]): Pick<Test, 'lastMonth' | 'monthBefore'> {
  return { lastMonth: toDurations(months, 1), monthBefore: toDurations(months, 0) }
}

function toDurations(months: MonthOfTest[], isLast: number): Test['lastMonth'] {
  const month = months.find(({ is_last }) => is_last === isLast)
  // PostgreSQL's sum of bigint is numeric, which arrives as text.
  const runs = Number(month?.runs ?? 0)
  return { runs, meanMs: month === undefined || runs === 0 ? null : month.duration_ms / runs }
}
