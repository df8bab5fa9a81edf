import type { Pending } from './pending.ts'

/**
 * The requests that wait for their answers. Usually there is only one, which is kept outside the map, because a map
 * that is filled and emptied repeatedly leaves a chain of old hash tables that only a full garbage collection frees.
 */
export class PendingRequests {
  #latest: Pending | undefined
  readonly #earlier = new Map<number, Pending>()

  get size(): number {
    return this.#earlier.size + (this.#latest === undefined ? 0 : 1)
  }

  add(pending: Pending): void {
    if (this.#latest !== undefined) this.#earlier.set(this.#latest.id, this.#latest)
    this.#latest = pending
  }

  find(id: number): Pending | undefined {
    return this.#latest?.id === id ? this.#latest : this.#earlier.get(id)
  }

  delete(pending: Pending): void {
    if (this.#latest === pending) this.#latest = undefined
    else this.#earlier.delete(pending.id)
  }

  /** Returns a copy of the list, earliest first. */
  list(): Pending[] {
    return this.#latest === undefined ? [...this.#earlier.values()] : [...this.#earlier.values(), this.#latest]
  }
}
