/** Measures contenders that take turns in one run; figures are medians, and a ratio that of the rounds' ratios. */
import { spawnSync } from 'node:child_process'
import type { Contest } from './contenders.ts'

interface Claim {
  contender: string
  beside: string
  /** Upper limit of the ratio; Infinity if the ratio is only reported. */
  must: number
  stretch?: number
}

const repeats = Number(process.argv[2] ?? 9)
/** Number of rounds that do not count. The JIT compilers share the core and need about 30,000 round trips. */
const warmUp = 8

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

export async function measure(title: string, contest: Contest, rounds: number, claims: Claim[]): Promise<void> {
  const times = new Map<string, number[]>()
  const names = Object.keys(contest.contenders)
  for (let repeat = -warmUp; repeat < repeats; repeat++) {
    for (const name of repeat % 2 === 0 ? names : [...names].reverse()) {
      const taken = (await contest.contenders[name]?.(rounds)) ?? Number.NaN
      if (repeat >= 0) times.set(name, [...(times.get(name) ?? []), taken])
    }
  }
  await contest.close()
  console.log(`\n${title}\n`)
  for (const name of names)
    console.log(
      `  ${name.padEnd(22)} ${median(times.get(name) ?? [])
        .toFixed(2)
        .padStart(10)} µs`,
    )
  for (const { contender, beside, must, stretch } of claims) {
    const others = times.get(beside) ?? []
    const ratio = median((times.get(contender) ?? []).map((taken, index) => taken / (others[index] ?? Number.NaN)))
    const verdict = ratio <= (stretch ?? 0) ? 'stretch met' : ratio <= must ? 'met' : 'NOT MET'
    if (must === Infinity) {
      console.log(`  ${contender} / ${beside}: ${ratio.toFixed(2)}`)
      continue
    }
    const goal = `must ${must}${stretch === undefined ? '' : `, stretch ${stretch}`}`
    console.log(`  ${contender} / ${beside}: ${ratio.toFixed(2)} (${goal}): ${verdict}`)
  }
}

/** Restarts this program pinned to one core, which child processes inherit. */
export function pinned(): boolean {
  if (process.env['FAIRLEAD_BENCH_PINNED']) return true
  const env = { ...process.env, FAIRLEAD_BENCH_PINNED: '1' }
  const arguments_ = ['-c', '1', process.execPath, ...process.argv.slice(1)]
  const { error } = spawnSync('taskset', arguments_, { env, stdio: 'inherit' })
  if (error) console.log('taskset is not there: not pinned')
  return error !== undefined
}
