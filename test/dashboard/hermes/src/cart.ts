export interface Item {
  price: { cents: number }
}

export function sumPrices(items: readonly Item[]): number {
  let total = 0
  for (const item of items) total += item.price.cents
  return total
}
