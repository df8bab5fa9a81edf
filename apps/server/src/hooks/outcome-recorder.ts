import { setImmediate } from 'node:timers/promises'
import type { AppContext } from '../context.ts'
import { type EndedAttempt, recordOutcome, recordOutcomes } from './finish.ts'

type Context = Pick<AppContext, 'db' | 'config' | 'jobs'>

interface Waiting {
  attempt: EndedAttempt
  resolve: () => void
  reject: (error: unknown) => void
}

/**
 * Records the outcomes of attempts: those of one turn of the event loop in one transaction, because each transaction
 * costs an fsync that uploads have to wait for. Nothing waits for a timer: what a killed process has not recorded is
 * sent again, and holds a place of its hook until its claim ends.
 */
export function createOutcomeRecorder(context: Context): { record(attempt: EndedAttempt): Promise<void> } {
  let waiting: Waiting[] = []
  let isWriting = false

  async function writeAll(): Promise<void> {
    isWriting = true
    while (waiting.length > 0) {
      await setImmediate()
      const items = waiting
      waiting = []
      await write(items)
    }
    isWriting = false
  }

  async function write(items: Waiting[]): Promise<void> {
    try {
      await recordOutcomes(
        context,
        items.map(({ attempt }) => attempt),
      )
      for (const { resolve } of items) resolve()
    } catch {
      // One that cannot be recorded does not keep the others from being so.
      for (const { attempt, resolve, reject } of items) await recordOutcome(context, attempt).then(resolve, reject)
    }
  }

  return {
    record: (attempt) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      waiting.push({ attempt, resolve, reject })
      if (!isWriting) void writeAll()
      return promise
    },
  }
}
