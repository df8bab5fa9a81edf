const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 2 })
const wholePercent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0 })

/** Formats a crash-free rate. It is rounded down, so that 100 % stands only where nothing crashed. */
export function formatCrashFree(rate: number): string {
  return percent.format(Math.floor(rate * 10_000) / 10_000)
}

/** Formats a share such as adoption; what is there at all is at least 1 %. */
export function formatShare(share: number): string {
  return share > 0 && share < 0.01 ? '< 1%' : wholePercent.format(share)
}

/** Formats a difference of rates in percentage points, with its sign. */
export function formatPoints(difference: number): string {
  const points = Math.abs(difference * 100)
  const text = points < 0.005 ? '0' : points.toFixed(2)
  return `${difference >= 0 ? '+' : '−'}${text} points`
}

/** Formats a count that the server stops at a hundred. */
export function formatSome(count: number, one: string, many = `${one}s`): string {
  return `${count >= 100 ? '100+' : count} ${count === 1 ? one : many}`
}
