import { readFileSync } from 'node:fs'
import { WorkerError } from './worker-error.ts'

export interface TimeLimits {
  /** Milliseconds by the clock that one request may take after it was sent. */
  timeoutMs: number
  /**
   * Milliseconds of processor time that one request may take. A process that waits for a processor on a busy machine
   * uses none, so this limit tells a costly request from a slow machine. Where the system does not say how much a
   * process has used (it is not Linux), the clock alone counts.
   */
  processorMs?: number | undefined
}

/** The kernel counts in ticks of 10 ms for programs, whatever it uses itself. */
const tickMs = 10
/** Several threads of a process may use processors at once, so the rest of the limit is looked at in steps. */
const shortestStepMs = 20

/** Calls `onLimit` once if a limit of the request that was just sent is reached, until it is disposed of. */
export function watchLimits(
  pid: number | undefined,
  { timeoutMs, processorMs }: TimeLimits,
  onLimit: (error: WorkerError) => void,
): Disposable {
  const clock = setTimeout(() => onLimit(new WorkerError('timeout', `The limit is ${timeoutMs} ms.`)), timeoutMs)
  let step: NodeJS.Timeout | undefined
  const before = processorMs === undefined ? undefined : readProcessorMs(pid)

  const look = (limit: number, start: number) => {
    const now = readProcessorMs(pid)
    if (now === undefined) return
    if (now - start >= limit) onLimit(new WorkerError('timeout', `The limit is ${limit} ms of processor time.`))
    else step = setTimeout(look, Math.max(limit - (now - start), shortestStepMs), limit, start)
  }
  if (processorMs !== undefined && before !== undefined) step = setTimeout(look, processorMs, processorMs, before)

  return {
    [Symbol.dispose]() {
      clearTimeout(clock)
      clearTimeout(step)
    },
  }
}

/** The processor time that a process has used. Undefined if it has ended, or if the system does not say. */
function readProcessorMs(pid: number | undefined): number | undefined {
  if (pid === undefined) return undefined
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  } catch {
    return undefined
  }
  // The second field is the name in parentheses, which may hold blanks; user and system time are the 14th and 15th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(fields[11]) + Number(fields[12])
  return Number.isFinite(ticks) ? ticks * tickMs : undefined
}
