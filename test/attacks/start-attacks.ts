import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** A workspace with an application for each platform and a build. */
export interface AttackedWorkspace {
  token: string
  android: number
  ios: number
  buildId: number
  installPath: string
}

export interface AttackOptions {
  url: string
  /** The local address of the connections. */
  address: string
  workspace: AttackedWorkspace
  /** The size of what the hostile archives contain. */
  inflatedMegabytes: number
}

export interface Count {
  answered: number
  /** The number of answers with status 500. */
  failed: number
}

/**
 * Makes every attack at once, in a thread of its own, so that its work does not delay the clock of the measuring
 * thread. `stop` returns the answers by the name of the attack.
 */
export function startAttacks(options: AttackOptions): { stop: () => Promise<Record<string, Count>> } {
  const worker = new Worker(new URL('./attack.ts', import.meta.url), { workerData: options })
  const ended = once(worker, 'message')
  return {
    async stop() {
      worker.postMessage('stop')
      // The thread sends one message, which are its counts.
      const [counts]: Record<string, Count>[] = await ended
      await worker.terminate()
      assert.ok(counts)
      return counts
    },
  }
}
