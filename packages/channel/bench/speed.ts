/**
 * Measures messages and the programs they are compared with in one run: `node bench/speed.ts [rounds]`. If taskset is
 * installed, all processes are pinned to one core. The contenders take turns, and figures are medians of 9 rounds; a
 * ratio is the median of the ratios of each round.
 */
import { spawnSync } from 'node:child_process'
import { createContent, openContest, type Contest } from './contenders.ts'
import { openPageContest } from './page-contest.ts'

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

async function measure(title: string, contest: Contest, rounds: number, claims: Claim[]): Promise<void> {
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

async function main(): Promise<void> {
  const c = 'C ping-pong'
  const birpc = 'birpc over fork'
  await measure('100 bytes', await openContest(100), 4000, [
    { contender: 'sendAsync', beside: c, must: 3, stretch: 2.4 },
    { contender: 'sendAsync', beside: birpc, must: 0.85 },
    { contender: 'send', beside: c, must: 2.6, stretch: 2.1 },
    { contender: 'send', beside: 'synckit', must: 0.55 },
    { contender: 'sendAsync', beside: 'bare Node', must: Infinity },
    { contender: 'send', beside: 'blocking bare Node', must: Infinity },
    { contender: 'post', beside: c, must: 0.15, stretch: 0.08 },
  ])
  await measure('10 KB, most of it one text', await openContest(10_000), 1500, [
    { contender: 'sendAsync', beside: c, must: 4.2 },
    { contender: 'send', beside: c, must: 3.8 },
  ])
  const records = Array.from({ length: 100 }, () => createContent(100))
  await measure('10 KB, a hundred records', await openContest(10_000, records), 1500, [
    { contender: 'sendAsync', beside: c, must: Infinity },
    { contender: 'send', beside: c, must: Infinity },
    { contender: 'sendAsync', beside: birpc, must: Infinity },
  ])
  await measure('1 MB', await openContest(1_000_000), 30, [
    { contender: 'sendAsync', beside: birpc, must: 1.3, stretch: 1 },
    { contender: 'send', beside: birpc, must: 1.3, stretch: 1 },
  ])
  await measure('web page, 100 bytes', await openPageContest(), 300, [
    { contender: 'sendAsync, binding', beside: 'page.evaluate', must: 1.15 },
    { contender: 'sendAsync, CDP', beside: 'page.evaluate', must: 0.85 },
  ])
}

/** Restarts this program pinned to one core, which child processes inherit. */
function pinned(): boolean {
  if (process.env['FAIRLEAD_BENCH_PINNED']) return true
  const env = { ...process.env, FAIRLEAD_BENCH_PINNED: '1' }
  const arguments_ = ['-c', '1', process.execPath, ...process.argv.slice(1)]
  const { error } = spawnSync('taskset', arguments_, { env, stdio: 'inherit' })
  if (error) console.log('taskset is not there: not pinned')
  return error !== undefined
}

if (pinned()) {
  await main()
  process.exit()
}
