/**
 * Measures messages and the programs they are compared with in one run: `node bench/speed.ts [rounds]`. If taskset is
 * installed, all processes are pinned to one core. The contenders take turns, and figures are medians of 9 rounds; a
 * ratio is the median of the ratios of each round.
 */
import { createContent, openContest } from './contenders.ts'
import { measure, pinned } from './measure.ts'
import { openPageContest } from './page-contest.ts'

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

if (pinned()) {
  await main()
  process.exit()
}
