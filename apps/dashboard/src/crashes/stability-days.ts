import type { Stability } from '@fairlead/contract'

/** The page of stability is about this many days. */
const maxDays = 30

export interface StabilityDay {
  date: string
  rows: readonly Stability[]
  started: number
  crashed: number
  rate: number | null
}

/** Every day from the first of the newest 30 to the newest, those without sessions as well, oldest first. */
export function toDays(rows: readonly Stability[]): StabilityDay[] {
  const byDate = Map.groupBy(rows, ({ date }) => date)
  const newest = [...byDate.keys()].toSorted().at(-1)
  if (newest === undefined) return []
  const oldest = [...byDate.keys()].toSorted()[0] ?? newest
  const days: StabilityDay[] = []
  for (let age = maxDays - 1; age >= 0; age--) {
    const date = new Date(Date.parse(newest) - age * 86_400_000).toISOString().slice(0, 10)
    if (date < oldest) continue
    const ofDay = byDate.get(date) ?? []
    days.push({ date, rows: ofDay, ...sumSessions(ofDay) })
  }
  return days
}

/** Sums sessions. The rate is null where none was started. */
export function sumSessions(rows: readonly Stability[]) {
  const started = rows.reduce((sum, row) => sum + row.startedCount, 0)
  const crashed = rows.reduce((sum, row) => sum + row.crashedCount, 0)
  return { started, crashed, rate: started === 0 ? null : Math.max(0, 1 - crashed / started) }
}
