/** An app with a catalogue of messages and its own answers for permission statuses. */
import { xpcService } from '@fairlead/channel/app'
import { messages, User } from './messages.ts'

const service = xpcService?.with(messages)
service?.on('user', (id) => new User(id, ['a', 'b']))
service?.on('users', () => [new User(1, []), new User(2, ['x'])])
service?.on('rename', ({ user, name }) => new User(user.id, [...user.tags, name]))
service?.on('total', (prices) => prices.reduce((sum, price) => sum + price, 0n))
service?.on('zod', (order) => ({ ...order, amount: order.amount + 1 }))
service?.on('valibot', (order) => order.length)
service?.on('arktype', ({ when }) => when.getTime())
service?.on('reset', () => {})
service?.on('bytes', (bytes) => bytes.map((byte) => byte + 1))
xpcService?.on('echo', { decoding: Object, encoding: Object }, (content) => content)
xpcService?.on('typeOf', { decoding: Object, encoding: String }, (content) => Object.prototype.toString.call(content))
xpcService?.answerAuthorization({
  contacts: () => 'limited',
  location: () => 'authorizedAlways',
  media: (type) => (type === 'video' ? 'authorized' : 'denied'),
  eventKit: (type) => (type === 'event' ? 'fullAccess' : 'writeOnly'),
  userNotificationSettings: () => 'provisional',
  photoLibrary: async (level) => (level === 'addOnly' ? 'authorized' : 'limited'),
  healthKit: (type) => (type === 'workout' ? 'sharingAuthorized' : 'notDetermined'),
})
