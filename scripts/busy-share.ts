/** How busy the processors of this machine are, so that more tests run beside tests that wait. */
import { cpus } from 'node:os'
import { setTimeout } from 'node:timers/promises'

type Times = Record<'user' | 'nice' | 'sys' | 'idle' | 'irq', number>

/** Returns the part of the time, from 0 to 1, in which the processors worked, also for other programs. */
export async function measureBusyShare(durationMs: number): Promise<number> {
  const before = readTimes()
  await setTimeout(durationMs)
  return toBusyShare(before, readTimes())
}

function readTimes(): Times[] {
  return cpus().map(({ times }) => times)
}

/** Times that did not move say nothing, and count as busy. */
export function toBusyShare(before: Times[], after: Times[]): number {
  const elapsed = sum(after, toTotal) - sum(before, toTotal)
  const idle = sum(after, ({ idle }) => idle) - sum(before, ({ idle }) => idle)
  return elapsed > 0 ? 1 - idle / elapsed : 1
}

function toTotal({ user, nice, sys, idle, irq }: Times): number {
  return user + nice + sys + idle + irq
}

function sum(processors: Times[], of: (times: Times) => number): number {
  return processors.reduce((total, times) => total + of(times), 0)
}
