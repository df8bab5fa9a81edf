/** Disposes of its resources in reverse order. It replaces DisposableStack, which Node 22 does not have. */
export class Disposables implements Disposable {
  readonly #held: Disposable[] = []

  use<Resource extends Disposable>(resource: Resource): Resource {
    this.#held.push(resource)
    return resource
  }

  /** Hands the resources over to another one, so that this one disposes of nothing. */
  move(): Disposables {
    const other = new Disposables()
    other.#held.push(...this.#held.splice(0))
    return other
  }

  [Symbol.dispose](): void {
    for (const resource of this.#held.splice(0).toReversed()) resource[Symbol.dispose]()
  }
}
