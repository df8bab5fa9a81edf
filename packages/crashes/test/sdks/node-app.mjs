/** An app with @sentry/node: an error with a cause, which it reports itself. */
import { addBreadcrumb, captureException, flush, init, setTag, setUser } from '@sentry/node'

init({ dsn: process.env.DSN, release: 'shop@2.1.0+42', environment: 'staging', serverName: 'host.example' })
setUser({ id: 'seven', email: 'ada@example.com', ip_address: '203.0.113.9' })
setTag('tenant', 'acme')
addBreadcrumb({ category: 'cart', message: 'opened by ada@example.com', level: 'info', type: 'user' })
addBreadcrumb({
  type: 'http',
  category: 'http',
  data: { method: 'GET', url: 'https://h.example/x?t=1', status_code: 500 },
})

function loadCart() {
  throw new RangeError('no cart 17 for ada@example.com')
}

function pay() {
  try {
    loadCart()
  } catch (cause) {
    throw new TypeError('payment failed', { cause })
  }
}

try {
  pay()
} catch (error) {
  captureException(error)
}
await flush(5000)
