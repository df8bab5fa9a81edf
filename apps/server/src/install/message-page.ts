import { html } from '../html/html.ts'
import type { Language } from './language.ts'
import { renderPage } from './page.ts'
import type { MessageKind } from './words/words.ts'

export interface MessagePage {
  kind: MessageKind
  language: Language
  /** What it is about, where that is known. */
  about?: string
  /** Where to go on, where there is a way. */
  href?: string
  /** By which the log tells more of a failure. */
  reference?: string
}

/** The page instead of the install page, when there is nothing to install. */
export function renderMessagePage({ kind, language, about, href, reference }: MessagePage): string {
  const { tag, words } = language
  const { title, text } = words.messages[kind]
  return renderPage({
    lang: tag,
    title,
    content: html`<main class="message">
      <h1>${title}</h1>
      ${about === undefined ? null : html`<p class="quiet"><bdi>${about}</bdi></p>`}
      <p>${text}</p>
      ${reference === undefined ? null : html`<p class="quiet">${words.reference}: ${reference}</p>`}
      ${href === undefined ? null : html`<a class="action" href="${href}">${words.openAgain}</a>`}
    </main>`,
  })
}
