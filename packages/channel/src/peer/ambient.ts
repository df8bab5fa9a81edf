/** Names the request that the running code handles, if its sender is blocked on it. */
export interface Scope {
  readonly peer: object
  readonly id: number
}

/** The part of AsyncLocalStorage that a peer needs. On Node, an AsyncLocalStorage is used. */
export interface Ambient {
  getStore(): Scope | undefined
  run<R>(scope: Scope | undefined, body: () => R): R
}

/** Replaces AsyncLocalStorage on hosts without it. It knows the scope only until the first `await`. */
export class SynchronousAmbient implements Ambient {
  #scope: Scope | undefined

  getStore(): Scope | undefined {
    return this.#scope
  }

  run<R>(scope: Scope | undefined, body: () => R): R {
    const outer = this.#scope
    this.#scope = scope
    try {
      return body()
    } finally {
      this.#scope = outer
    }
  }
}
