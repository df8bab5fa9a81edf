/** A page with @sentry/react: a component that fails while it is rendered. */
import * as Sentry from '@sentry/react'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'

Sentry.init({ dsn: window.DSN, release: 'web@3.1+310', environment: 'production' })
Sentry.setTag('tenant', 'initech')

function Price({ item }) {
  return createElement('b', null, item.price.toFixed(2))
}

function Basket() {
  return createElement('ul', null, createElement(Price, { item: {} }))
}

document.body.innerHTML = '<main></main>'
const onUncaughtError = Sentry.reactErrorHandler()
createRoot(document.querySelector('main'), { onUncaughtError }).render(createElement(Basket))
