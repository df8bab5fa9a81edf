import { type Item, sumPrices } from './cart.ts'

export class Checkout {
  readonly #items: readonly Item[]

  constructor(items: readonly Item[]) {
    this.#items = items
  }

  pay(): string {
    return `paid ${sumPrices(this.#items)}`
  }
}
