/** What a handler may know of the message besides its content. */
export class MessageContext {
  readonly name: string
  #controller: AbortController | undefined
  #isCancelled = false

  constructor(name: string) {
    this.name = name
  }

  /** Aborted when the asker has stopped waiting: by a timeout, a cancel, or its death. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#isCancelled) this.#controller.abort()
    return this.#controller.signal
  }

  /** Called by the channel. */
  cancel(): void {
    this.#isCancelled = true
    this.#controller?.abort()
  }
}
