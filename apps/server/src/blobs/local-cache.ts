/** Copies of remote blobs in a folder of this machine, for readers that seek: lookup files and mapping indexes. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import type { LocalBlob } from './blob-store.ts'

export interface LocalCacheOptions {
  /** The size of the cache. Copies in use are never removed, so the folder may exceed it while many are in use. */
  maxBytes: number
  /** Writes the bytes of a key to a path that does not exist yet. Returns their number. */
  fetch(key: string, path: string): Promise<number>
}

interface Copy {
  path: string
  size: number
  users: number
}

/** Holds at most `maxBytes` of copies that nobody uses; the least recently used go first. */
export class LocalCache {
  readonly #folder: string
  readonly #options: LocalCacheOptions
  /** Copies in the order of their last use, oldest first. Requests for one key share one promise. */
  readonly #copies = new Map<string, Promise<Copy>>()
  readonly #settled = new Map<string, Copy>()
  #bytes = 0

  private constructor(folder: string, options: LocalCacheOptions) {
    this.#folder = folder
    this.#options = options
  }

  /** Opens a cache in a folder of this process alone; files that an earlier process left in it are removed. */
  static async open(folder: string, options: LocalCacheOptions): Promise<LocalCache> {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    return new LocalCache(folder, options)
  }

  /** The bytes that all copies take. */
  get size(): number {
    return this.#bytes
  }

  /**
   * Returns a copy of the blob that stays until it is disposed. Rejects with the error of `fetch`, and then keeps no
   * copy.
   */
  async use(key: string): Promise<LocalBlob> {
    const pending = this.#copies.get(key) ?? this.#add(key)
    const copy = await pending
    // The copy may have been removed while this call waited; then it is fetched again.
    if (this.#copies.get(key) !== pending) return this.use(key)
    copy.users++
    this.#copies.delete(key)
    this.#copies.set(key, pending)
    await this.#evict()
    let isOpen = true
    return {
      path: copy.path,
      [Symbol.asyncDispose]: async () => {
        if (!isOpen) return
        isOpen = false
        copy.users--
        await this.#evict()
      },
    }
  }

  /**
   * Removes the copy of a blob that was deleted, unless somebody reads it; then it is removed later, when the room is
   * needed.
   */
  async forget(key: string): Promise<void> {
    const copy = this.#settled.get(key)
    if (copy?.users === 0) await this.#remove(key, copy)
  }

  #add(key: string): Promise<Copy> {
    const path = join(this.#folder, randomUUID())
    const fetched = this.#options.fetch(key, path).then(
      (size) => {
        const copy = { path, size, users: 0 }
        this.#settled.set(key, copy)
        this.#bytes += size
        return copy
      },
      async (error: unknown) => {
        this.#copies.delete(key)
        await rm(path, { force: true })
        throw error
      },
    )
    this.#copies.set(key, fetched)
    return fetched
  }

  async #evict(): Promise<void> {
    const removed: Promise<void>[] = []
    for (const key of this.#copies.keys()) {
      if (this.#bytes <= this.#options.maxBytes) break
      const copy = this.#settled.get(key)
      if (copy?.users === 0) removed.push(this.#remove(key, copy))
    }
    await Promise.all(removed)
  }

  #remove(key: string, copy: Copy): Promise<void> {
    this.#copies.delete(key)
    this.#settled.delete(key)
    this.#bytes -= copy.size
    return rm(copy.path, { force: true })
  }
}
