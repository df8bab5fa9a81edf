/** Which request, of a sender that is blocked on it, is being handled by the running code. */
export interface Scope {
  readonly peer: object
  readonly id: number
}

/** The part of AsyncLocalStorage that a peer needs; on Node it is that. */
export interface Ambient {
  getStore(): Scope | undefined
  run<R>(scope: Scope | undefined, body: () => R): R
}

/** For hosts without AsyncLocalStorage: knows the scope until the first `await`. */
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
