import type { Logger } from 'pino'

/** Collects small writes that nobody waits for, and makes them together. */
export interface Batch<Item> extends AsyncDisposable {
  add(item: Item): void
  /** Makes the collected writes now. It never rejects: writes that fail are tried again later. */
  flush(): Promise<void>
  /** Whether all writes are made. */
  isEmpty(): boolean
}

const delayMs = 250
const retryMs = 5000
/** The most items that are written at once. */
const batchSize = 500
/** The most items that wait while the database does not answer; further ones are dropped. */
const itemLimit = 20_000

/** Creates a batch. `write` runs one at a time; the rest is written on disposal. */
export function createBatch<Item>(write: (items: Item[]) => Promise<void>, log: Logger): Batch<Item> {
  let waiting: Item[] = []
  let timer: NodeJS.Timeout | undefined
  let flushing: Promise<void> | undefined

  return {
    add(item) {
      if (waiting.length >= itemLimit) {
        log.warn('too many counts wait to be written; one is dropped')
        return
      }
      waiting.push(item)
      schedule(delayMs)
    },
    async flush() {
      await flushing
      if (waiting.length > 0) await start()
    },
    isEmpty: () => waiting.length === 0 && flushing === undefined,
    async [Symbol.asyncDispose]() {
      await flushing
      if (waiting.length > 0) await start()
      clearTimeout(timer)
    },
  }

  function schedule(afterMs: number): void {
    timer ??= setTimeout(() => void start(), afterMs)
  }

  function start(): Promise<void> {
    flushing ??= writeAll().finally(() => {
      flushing = undefined
    })
    return flushing
  }

  async function writeAll(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    while (waiting.length > 0) {
      const items = waiting.slice(0, batchSize)
      waiting = waiting.slice(batchSize)
      try {
        await write(items)
      } catch (error) {
        log.warn({ err: error, count: items.length }, 'counts could not be written and are tried again')
        waiting = [...items, ...waiting].slice(0, itemLimit)
        schedule(retryMs)
        return
      }
    }
  }
}
