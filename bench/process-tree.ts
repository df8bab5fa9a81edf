/** Reads memory and CPU time of a process and of all that it has started. Linux only. */
import { readdirSync, readFileSync } from 'node:fs'
import { readCpuTime } from './processes.ts'

/** Lists a process and its descendants. */
export function listProcesses(pid: number): number[] {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
    return [pid, ...children.flatMap(listProcesses)]
  } catch {
    // The process ended meanwhile.
    return []
  }
}

/** Returns the CPU time of a process and its descendants so far, in microseconds. */
export async function readTreeCpuTime(pid: number): Promise<number> {
  const times = await Promise.all(listProcesses(pid).map((pid) => readCpuTime(pid).catch(() => 0)))
  return times.reduce((sum, time) => sum + time, 0)
}

/**
 * Returns the CPU time of the running threads of a process and its descendants in microseconds, which the scheduler
 * counts in nanoseconds. That of threads and processes that have ended is not in it.
 */
export function readExactTreeCpuTime(pid: number): number {
  return listProcesses(pid).reduce((sum, one) => sum + readThreads(one), 0)
}

function readThreads(pid: number): number {
  try {
    const times = readdirSync(`/proc/${pid}/task`).map((thread) =>
      Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
    )
    return times.reduce((sum, time) => sum + time, 0) / 1000
  } catch {
    // The process ended meanwhile.
    return 0
  }
}

/** Returns the resident memory of a process in bytes, in which shared pages count in proportion. */
export function readProportionalSize(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024
  } catch {
    // The process ended meanwhile.
    return 0
  }
}
