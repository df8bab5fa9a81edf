import type { Test } from '@fairlead/contract'
import { formatDuration } from './test-name.ts'

const percent = new Intl.NumberFormat('en', { style: 'percent', signDisplay: 'exceptZero', maximumFractionDigits: 0 })

/** Says how long a test takes this month, and how that changed against the month before. */
export function describeTrend({ lastMonth, monthBefore }: Pick<Test, 'lastMonth' | 'monthBefore'>): string {
  if (lastMonth.meanMs === null) return 'not run this month'
  const mean = `mean ${formatDuration(lastMonth.meanMs)}`
  if (monthBefore.meanMs === null || monthBefore.meanMs === 0) return mean
  return `${mean}, ${percent.format(lastMonth.meanMs / monthBefore.meanMs - 1)}`
}
