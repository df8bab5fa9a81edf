/** Disposes of its resources in reverse order. It replaces DisposableStack, which Node 22 does not have. */
export class Disposables implements Disposable {
  readonly #held: Disposable[] = []

  use<Resource extends Disposable>(resource: Resource): Resource {
    this.#held.push(resource)
    return resource
  }

  [Symbol.dispose](): void {
    for (const resource of this.#held.splice(0).toReversed()) resource[Symbol.dispose]()
  }
}
