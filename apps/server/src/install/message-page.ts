import { html } from '../html/html.ts'
import type { Language } from './language.ts'
import { renderPage } from './page.ts'
import type { MessageKind } from './words/words.ts'

export interface MessagePage {
  kind: MessageKind
  language: Language
  /** The name of the app, if known. */
  about?: string
  /** The error id, which is also in the log. */
  reference?: string
}

/** Renders the page that replaces the install page when there is nothing to install. */
export function renderMessagePage({ kind, language, about, reference }: MessagePage): string {
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
    </main>`,
  })
}
