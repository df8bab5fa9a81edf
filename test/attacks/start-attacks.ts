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
  /** An account with a second factor, for attacks that only the long form makes, because they are dear. */
  account: { email: string; password: string } | null
}

export interface Count {
  answered: number
  /** The number of answers with status 500, and of those that no client may get. */
  failed: number
  /** The number of answers by status; 499 stands for a client that hung up. */
  statuses: Record<number, number>
  longestMs: number
}

/** What the thread of the attacks says: each attack was answered once, and, at its end, the answers of each attack. */
export type AttackMessage = 'answered' | Record<string, Count>

export interface Attacks {
  /** Resolves when the server has answered each attack once. */
  answered: Promise<void>
  /** Ends the attacks, and returns the answers by the name of the attack. */
  stop(): Promise<Record<string, Count>>
}

/**
 * Makes every attack at once, in a thread of its own, so that its work does not delay the clock of the measuring
 * thread.
 */
export function startAttacks(options: AttackOptions): Attacks {
  const worker = new Worker(new URL('./attack.ts', import.meta.url), { workerData: options })
  const answered = Promise.withResolvers<void>()
  const counted = Promise.withResolvers<Record<string, Count>>()
  worker.on('message', (message: AttackMessage) => {
    if (message === 'answered') answered.resolve()
    else counted.resolve(message)
  })
  worker.on('error', (error) => {
    answered.reject(error)
    counted.reject(error)
  })
  return {
    answered: answered.promise,
    async stop() {
      worker.postMessage('stop')
      const counts = await counted.promise
      await worker.terminate()
      return counts
    },
  }
}
