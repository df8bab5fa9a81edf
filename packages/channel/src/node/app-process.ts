import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { platform } from 'node:process'

/** How a process ended: with an exit code or by a signal; both are null if that is unknown. */
export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export function describeExit(pid: number | undefined, exit: Exit | undefined): string {
  const app = `the app (pid ${pid ?? 'unknown'})`
  if (exit?.signal) return `${app} was ended by ${exit.signal}`
  if (typeof exit?.code === 'number') return `${app} exited with code ${exit.code}`
  return `${app} is gone`
}

/** Finds the exit of a child, even while this process is blocked and receives no events. */
export function findChildExit(child: ChildProcess): Exit | undefined {
  if (child.exitCode !== null || child.signalCode !== null) return { code: child.exitCode, signal: child.signalCode }
  return child.pid === undefined ? undefined : findZombieExit(child.pid)
}

/**
 * Finds how a zombie process ended, that is, one whose parent has not yet waited for it. Returns undefined while the
 * process runs, and on systems other than Linux. By proc_pid_stat(5), the state is field 3, which follows the name in
 * parentheses, and field 52 is the exit status in the form of waitpid.
 */
export function findZombieExit(pid: number): Exit | undefined {
  if (platform !== 'linux') return undefined
  let fields: string[]
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
  if (fields[0] !== 'Z' && fields[0] !== 'X') return undefined
  const status = Number(fields[49])
  const signal = status & 0x7f
  if (signal === 0) return { code: status >> 8, signal: null }
  const name = Object.entries(constants.signals).find(([, value]) => value === signal)?.[0]
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table of Node has only names of signals as keys
  return { code: null, signal: (name ?? null) as NodeJS.Signals | null }
}
