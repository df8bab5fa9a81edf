import { errorTable } from '@fairlead/contract'
import { html } from './html.ts'
import { renderPage } from './page.ts'

/** The page instead of the install page, when there is nothing to install. */
export function renderMessagePage(code: 'installLinkNotFound' | 'installLinkExpired'): string {
  const { title, detail } = errorTable[code]
  return renderPage(
    title,
    html`<main>
      <h1>${title}</h1>
      <p>${detail}</p>
    </main>`,
  )
}
