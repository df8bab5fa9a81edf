/** Information about a message that a handler gets besides its content. */
export class MessageContext {
  readonly name: string
  #controller: AbortController | undefined
  #isCancelled = false

  constructor(name: string) {
    this.name = name
  }

  /** Aborted when the requesting side stops waiting, because of a timeout, a cancellation or its end. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#isCancelled) this.#controller.abort()
    return this.#controller.signal
  }

  /** Called by the channel to abort the signal. */
  cancel(): void {
    this.#isCancelled = true
    this.#controller?.abort()
  }
}
