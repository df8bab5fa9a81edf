/** A page with @sentry/browser: a click, a request, and an error that nobody catches. */
import * as Sentry from '@sentry/browser'

Sentry.init({ dsn: window.DSN, release: 'web@3.0', environment: 'preview' })
Sentry.setUser({ id: 'eight', email: 'ada@example.com' })
Sentry.setTag('tenant', 'globex')

function readBasket(basket) {
  return basket.items.length
}

document.body.innerHTML = '<button id="pay">Pay</button>'
document.querySelector('#pay').addEventListener('click', () => {
  void fetch('/api/basket?token=secret').then(() => setTimeout(() => readBasket({})))
})
document.querySelector('#pay').click()
