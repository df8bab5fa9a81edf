// The app is an ordinary program. `xpcService` is undefined unless it runs under test.
import { xpcService } from '@fairlead/channel/app'
import { messages } from './cart-messages.ts'

const cart: string[] = []
const service = xpcService?.with(messages)
service?.on('add', (item) => {
  cart.push(item.name)
  service.post('added', { ...item, size: cart.length })
})
service?.on('count', () => cart.length)
service?.on('reset', () => {
  cart.length = 0
})
