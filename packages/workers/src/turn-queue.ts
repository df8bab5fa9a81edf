import { QueueFullError } from './queue-full-error.ts'

export interface QueueLimits {
  /** Number of waiting entries of all keys together. */
  maxQueued: number
  /** Number of waiting entries of one key. */
  maxQueuedPerKey: number
  /** Slots that one key may have at the same time, so that a slow key leaves a slot to others. Default: all. */
  maxRunningPerKey?: number | undefined
  /** Sum of the sizes of waiting entries of all keys together. Default: no limit. */
  maxQueuedSize?: number | undefined
  /** Sum of the sizes of waiting entries of one key. Default: no limit. */
  maxQueuedSizePerKey?: number | undefined
}

/** A slot that was taken. Disposing of it gives the slot back; a second time does nothing. */
export interface Place<Slot> extends Disposable {
  readonly slot: Slot
}

interface Waiter<Slot> {
  size: number
  take(slot: Slot): void
  refuse(reason: unknown): void
}

interface Line<Slot> {
  waiters: Waiter<Slot>[]
  size: number
}

interface EntryOptions {
  /** Callers with the same key share their turns. */
  key: string
  /** Memory that the entry holds while it waits, in the unit of the limits. Default 0. */
  size?: number | undefined
  signal?: AbortSignal | undefined
}

/**
 * Shares a few slots between many callers. Keys take turns (round-robin), so that a key with many entries delays
 * another key by one entry at most. An entry beyond the limits is refused at once.
 */
export class TurnQueue<Slot> {
  readonly #limits: QueueLimits
  readonly #idle: Slot[]
  /** Waiting entries by key; the first key has the next turn. */
  readonly #lines = new Map<string, Line<Slot>>()
  /** The key that has each taken slot. */
  readonly #takenBy = new Map<Slot, string>()
  /** The key that had each slot last. */
  readonly #lastKeys = new Map<Slot, string>()
  #count = 0
  #size = 0

  constructor(slots: readonly Slot[], limits: QueueLimits) {
    this.#idle = [...slots]
    this.#limits = limits
  }

  /** How many entries wait for a slot. */
  get waiting(): number {
    return this.#count
  }

  /** How many slots are free. */
  get idle(): number {
    return this.#idle.length
  }

  /**
   * Waits for a slot. The caller holds it by `using`, so that it goes back however its work ends. Rejects with
   * QueueFullError, or with the signal's reason once it is aborted.
   */
  async take({ key, size = 0, signal }: EntryOptions): Promise<Place<Slot>> {
    signal?.throwIfAborted()
    const slot = this.#mayRun(key) ? this.#takeIdle(key) : undefined
    if (slot !== undefined) {
      this.#takenBy.set(slot, key)
      return this.#toPlace(slot)
    }
    this.#refuseWhenFull(key, size)
    const { promise, resolve, reject } = Promise.withResolvers<Slot>()
    const waiter = { size, take: resolve, refuse: reject }
    this.#add(key, waiter)
    const onAbort = () => {
      this.#remove(key, waiter)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', onAbort)
    try {
      return this.#toPlace(await promise)
    } finally {
      signal?.removeEventListener('abort', onAbort)
    }
  }

  /** Rejects all waiting entries. */
  refuseAll(reason: unknown): void {
    const waiters = [...this.#lines.values()].flatMap((line) => line.waiters)
    this.#lines.clear()
    this.#count = 0
    this.#size = 0
    for (const waiter of waiters) waiter.refuse(reason)
  }

  /**
   * Takes a free slot: the one that the key had last, else one that no key has had, else the one that was given back
   * last. A process that is new, or was killed with its request, has to start, and only the key that comes anew or
   * whose request it was should wait for that.
   */
  #takeIdle(key: string): Slot | undefined {
    const own = this.#idle.findLastIndex((slot) => this.#lastKeys.get(slot) === key)
    const at = own === -1 ? this.#idle.findLastIndex((slot) => !this.#lastKeys.has(slot)) : own
    return at === -1 ? this.#idle.pop() : this.#idle.splice(at, 1)[0]
  }

  #toPlace(slot: Slot): Place<Slot> {
    let isTaken = true
    return {
      slot,
      [Symbol.dispose]: () => {
        if (!isTaken) return
        isTaken = false
        this.#release(slot)
      },
    }
  }

  /** Gives a slot to the key whose turn it is if any entry waits. */
  #release(slot: Slot): void {
    const last = this.#takenBy.get(slot)
    if (last !== undefined) this.#lastKeys.set(slot, last)
    this.#takenBy.delete(slot)
    const next = this.#lines.entries().find(([key]) => this.#mayRun(key))
    if (!next) {
      this.#idle.push(slot)
      return
    }
    const [key, line] = next
    const [waiter] = line.waiters
    if (!waiter) throw new Error(`The line of ${key} is empty.`)
    this.#remove(key, waiter)
    // A key that was served goes to the end of the Map, which keeps the order of insertion.
    if (this.#lines.delete(key)) this.#lines.set(key, line)
    this.#takenBy.set(slot, key)
    waiter.take(slot)
  }

  #mayRun(key: string): boolean {
    const running = this.#takenBy.values().filter((other) => other === key)
    return running.toArray().length < (this.#limits.maxRunningPerKey ?? Infinity)
  }

  #refuseWhenFull(key: string, size: number): void {
    const { maxQueued, maxQueuedPerKey, maxQueuedSize = Infinity, maxQueuedSizePerKey = Infinity } = this.#limits
    const line = this.#lines.get(key)
    const isLineFull = (line?.waiters.length ?? 0) >= maxQueuedPerKey || (line?.size ?? 0) + size > maxQueuedSizePerKey
    if (isLineFull) throw new QueueFullError('key')
    if (this.#count >= maxQueued || this.#size + size > maxQueuedSize) throw new QueueFullError('total')
  }

  #add(key: string, waiter: Waiter<Slot>): void {
    const line = this.#lines.get(key) ?? { waiters: [], size: 0 }
    line.waiters.push(waiter)
    line.size += waiter.size
    this.#lines.set(key, line)
    this.#count++
    this.#size += waiter.size
  }

  #remove(key: string, waiter: Waiter<Slot>): void {
    const line = this.#lines.get(key)
    const at = line?.waiters.indexOf(waiter) ?? -1
    if (!line || at < 0) return
    line.waiters.splice(at, 1)
    line.size -= waiter.size
    this.#count--
    this.#size -= waiter.size
    if (line.waiters.length === 0) this.#lines.delete(key)
  }
}
