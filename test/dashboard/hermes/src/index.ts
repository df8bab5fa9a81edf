import { Checkout } from './checkout.ts'

declare function print(text: string): void

try {
  print(new Checkout(JSON.parse('[{ "price": { "cents": 5 } }, {}]')).pay())
} catch (error) {
  print(error instanceof Error ? String(error.stack) : 'nothing was thrown')
}
