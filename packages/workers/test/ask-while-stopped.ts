import { existsSync, readFileSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'

const children = `/proc/${process.pid}/task/${process.pid}/children`

/** Only Linux lists the children of a process. */
export const canStopProcesses: boolean = existsSync(children)

/**
 * Stops the process that `ask` starts, as a machine does that is too busy to run it, and lets it go on when `clockMs`
 * have passed on the mocked clock of the test. Nobody waits that long, because only timers of this process are mocked.
 */
export async function askWhileStopped<Answer>(
  { mock }: TestContext,
  clockMs: number,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const before = listChildren()
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const asked = ask()
    // A rejection is for the caller, who gets it below.
    asked.catch(() => {})
    const pid = await findChild(before)
    process.kill(pid, 'SIGSTOP')
    try {
      mock.timers.tick(clockMs)
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    return await asked
  } finally {
    mock.timers.reset()
  }
}

async function findChild(before: ReadonlySet<number>): Promise<number> {
  for (;;) {
    const pid = [...listChildren()].find((one) => !before.has(one))
    // An id of 0 would mean every process of this group, the runner of the tests included.
    if (pid !== undefined && pid > 1) return pid
    await setImmediate()
  }
}

function listChildren(): ReadonlySet<number> {
  return new Set(readFileSync(children, 'utf8').split(' ').filter(Boolean).map(Number))
}
